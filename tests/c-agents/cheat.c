/* An agent in C that tries to get more than its share, or to look like a victim. */
#define _GNU_SOURCE
#include "worker_pipe.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SIGNAL_ITSELF = 1, FILL_MEMORY_FILE, BURST_UNSEEN, SLEEP_UNSEEN, DIE_OF_ODD_SIGNAL };

struct cheat {
    const agent2048_host *host;
    int64_t mode;
};

static void *create(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size) {
    struct cheat *cheat = malloc(sizeof *cheat);
    (void)setup;
    (void)error;
    (void)error_size;
    if (cheat != NULL) {
        cheat->host = host;
        cheat->mode = 0;
        host->json_integer(params, "mode", &cheat->mode);
    }
    return cheat;
}

static uint8_t first_legal(const struct cheat *cheat, const agent2048_board *board) {
    for (int direction = 0; direction < 4; direction++) {
        if (cheat->host->slide(board, direction, NULL, NULL)) {
            return (uint8_t)direction;
        }
    }
    return 0;
}

static void burn(long milliseconds) {
    struct timespec start, now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    do {
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000 <
             milliseconds);
}

/* Dies of a signal that seems to come from outside. */
static void signal_itself(void) {
    int ends[2];
    if (pipe(ends) == 0) {
        fcntl(ends[0], F_SETOWN, getpid());
        fcntl(ends[0], F_SETSIG, SIGTERM);
        fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
        if (write(ends[1], "x", 1) == 1) {
            burn(10);
        }
    }
}

/* Memory that counts for no limit of address space. */
static void fill_memory_file(void) {
    static char megabyte[1 << 20];
    int file = memfd_create("hoard", 0);
    for (int written = 0; written < 600; written++) {
        if (write(file, megabyte, sizeof megabyte) < 0) {
            return;
        }
    }
}

/* One of those that the thread library needs, and may have a handler for. */
static void die_of_odd_signal(void) {
    unsigned long by_default[4] = {0}, none = 0;
    syscall(SYS_rt_sigaction, 33, by_default, NULL, sizeof none);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none);
    syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), 33);
}

/* Answers turns behind the worker's back, where no clock of the worker is read. */
static void play_unseen(const struct cheat *cheat, const agent2048_board *first) {
    agent2048_board board = *first;
    const unsigned char *token = token_of(first);
    unsigned char reply[REPLY_SIZE], turn[TURN_SIZE];
    for (int number = 1;; number++) {
        if (cheat->mode == BURST_UNSEEN && number == 60) {
            burn(500);
        }
        if (cheat->mode == SLEEP_UNSEEN) {
            usleep(50000);
        }
        encode_reply(reply, first_legal(cheat, &board), 0, token);
        if (write(TO_HOST, reply, sizeof reply) != REPLY_SIZE) {
            _exit(0);
        }
        read_turn(turn);
        memcpy(board.cells, turn + 1, sizeof board.cells);
        token = turn + TURN_SIZE - TOKEN_SIZE;
    }
}

static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    const struct cheat *cheat = agent;
    if (turn->move_number == 3 && cheat->mode == SIGNAL_ITSELF) {
        signal_itself();
    }
    if (turn->move_number == 3 && cheat->mode == FILL_MEMORY_FILE) {
        fill_memory_file();
    }
    if (turn->move_number == 3 && cheat->mode == DIE_OF_ODD_SIGNAL) {
        die_of_odd_signal();
    }
    if (cheat->mode == BURST_UNSEEN || cheat->mode == SLEEP_UNSEEN) {
        play_unseen(cheat, board);
    }
    choice->direction = first_legal(cheat, board);
    return AGENT2048_OK;
}

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"cheat\", \"params\": {\"type\": \"object\", \"properties\":"
    " {\"mode\": {\"type\": \"integer\", \"default\": 0}}}}",
    create, free, choose, NULL,
};
