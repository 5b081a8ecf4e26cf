/* An agent in C that treats its time in every way but the right one.
 *
 * Mode 0 stops at its own reading of the income, as the header says. The other modes try
 * to get more. As "nodes" it reports the CPU time of its turn in nanoseconds, by its own
 * clock, so that a test can compare what agents really had. */
#define _GNU_SOURCE
#include "worker_pipe.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum mode {
    HONEST,
    TAKE_OVER_THE_PIPE, /* answers by itself, in frames that claim no time */
    NAP,                /* sleeps, then thinks, on every turn */
    PONDER,             /* a thread works on after every answer */
    FORGE_REPORTS,      /* says in `create` what only the host's code may say */
    HALF_A_REPORT,      /* begins a report in `create`, and works on */
    STOP_ITSELF,
    DRIP,               /* sends its answer byte by byte, and works in between */
    SLOW_START,         /* thinks in `create`, and then no more */
    WATCH_THE_FLAG,     /* thinks until the stop flag is set */
    ANSWER_TWICE,       /* sends the answer to the next turn with that to this one */
    THINK,              /* thinks as long as it is told to */
    ODD_NAME,           /* the same, in a thread whose name the kernel cuts inside a letter */
};

struct timekeeper {
    const agent2048_host *host;
    int64_t mode;
    int64_t think_us;
    int64_t sleep_us;
};

static uint64_t cpu_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void think_until(uint64_t end_ns) {
    while (cpu_ns() < end_ns) {
    }
}

static void think(int64_t microseconds) {
    think_until(cpu_ns() + (uint64_t)microseconds * 1000);
}

static void nap(int64_t microseconds) {
    struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
    while (nanosleep(&time, &time) != 0) {
    }
}

static void *ponder(void *nothing) {
    (void)nothing;
    for (;;) {
    }
    return NULL;
}

static void send_bytes(const void *bytes, size_t size) {
    if (write(TO_HOST, bytes, size) < 0) {
        _exit(1);
    }
}

static void send_report(const char *json, size_t n_missing) {
    char frame[256];
    uint32_t length = (uint32_t)strlen(json);
    memcpy(frame, &length, sizeof length);
    memcpy(frame + sizeof length, json, length);
    send_bytes(frame, sizeof length + length - n_missing);
}

static int first_move(const agent2048_host *host, const agent2048_board *board) {
    for (int direction = 0; direction < 4; direction++) {
        if (host->slide(board, direction, NULL, NULL)) {
            return direction;
        }
    }
    return 0;
}

/* Answers this turn and all others, and never returns to the worker. */
static void take_over(const struct timekeeper *keeper, agent2048_board board) {
    unsigned char turn[TURN_SIZE], reply[REPLY_SIZE];
    const unsigned char *token = token_of(&board);
    for (;;) {
        think(keeper->think_us);
        encode_reply(reply, first_move(keeper->host, &board), (uint64_t)keeper->think_us * 1000,
                     token);
        send_bytes(reply, sizeof reply);
        read_turn(turn);
        board.side = turn[0];
        memcpy(board.cells, turn + 1, sizeof board.cells);
        token = turn + TURN_SIZE - TOKEN_SIZE;
    }
}

static void *create(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size) {
    struct timekeeper *keeper = calloc(1, sizeof *keeper);
    (void)setup, (void)error, (void)error_size;
    if (keeper == NULL) {
        return NULL;
    }
    keeper->host = host;
    host->json_integer(params, "mode", &keeper->mode);
    host->json_integer(params, "think_us", &keeper->think_us);
    host->json_integer(params, "sleep_us", &keeper->sleep_us);
    if (keeper->mode == PONDER) {
        pthread_t thread;
        pthread_create(&thread, NULL, ponder, NULL);
    }
    if (keeper->mode == ODD_NAME) {
        prctl(PR_SET_NAME, "Schl\xc3\xbcssel-T\xc3\xbc\xc3\xa4");
    }
    if (keeper->mode == SLOW_START) {
        think(keeper->think_us);
        keeper->think_us = 0;
    }
    if (keeper->mode == FORGE_REPORTS) {
        for (int i = 0; i < 30; i++) {
            think(60000);
            send_report("{\"sandbox-lacks\":\"nothing\"}", 0);
            send_report("{\"confined\":{\"lacking\":\"nothing\"}}", 0);
        }
    }
    if (keeper->mode == HALF_A_REPORT) {
        send_report("\"ready\"", 1);
        think(2000000);
    }
    return keeper;
}

static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    const struct timekeeper *keeper = agent;
    uint64_t start = cpu_ns();
    switch (keeper->mode) {
    case HONEST:
        while (keeper->host->clock_ns(turn->clock) - turn->clock_start_ns < turn->income_ns) {
        }
        break;
    case WATCH_THE_FLAG: {
        const volatile uint32_t *stop = turn->stop_flag ? turn->stop_flag() : NULL;
        if (stop == NULL) {
            return AGENT2048_ERROR;
        }
        while (!*stop) {
        }
        break;
    }
    case TAKE_OVER_THE_PIPE:
        take_over(keeper, *board);
        break;
    case NAP:
        nap(keeper->sleep_us);
        think(keeper->think_us);
        break;
    case STOP_ITSELF:
        raise(SIGSTOP);
        break;
    case DRIP:
        for (unsigned char byte = 1;; byte = 0) {
            send_bytes(&byte, 1);
            think(20000);
        }
        break;
    case ANSWER_TWICE: {
        unsigned char replies[2 * REPLY_SIZE];
        int direction = first_move(keeper->host, board);
        encode_reply(replies, direction, 0, token_of(board));
        encode_reply(replies + REPLY_SIZE, direction, 0, token_of(board));
        send_bytes(replies, sizeof replies);
        nap(60000000);
        break;
    }
    default:
        think(keeper->think_us);
    }
    choice->direction = (uint8_t)first_move(keeper->host, board);
    choice->nodes = cpu_ns() - start;
    return AGENT2048_OK;
}

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"timekeeper\", \"honours\": [\"time\"], \"params\": {\"type\": \"object\", \"properties\":"
    " {\"mode\": {\"type\": \"integer\", \"default\": 0},"
    " \"think_us\": {\"type\": \"integer\", \"default\": 0},"
    " \"sleep_us\": {\"type\": \"integer\", \"default\": 0}}}}",
    create, free, choose, NULL,
};
