/* An agent in C that treats its time in every way but the right one.
 *
 * Mode 0 stops at its own reading of the income, as the header says. The other modes try
 * to get more. As "nodes" it reports the CPU time of its turn in nanoseconds, by its own
 * clock, so that a test can compare what agents really had. */
#define _GNU_SOURCE
#include "agent2048.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
};

/* Where the worker keeps its ends of the pipe, and the sizes of its frames. */
enum { INPUT = 200, OUTPUT = 201, REQUEST_SIZE = 106, REPLY_SIZE = 46 };

struct timekeeper {
    const agent2048_host *host;
    int64_t mode;
    int64_t think_us;
    int64_t sleep_us;
    int64_t reply_size; /* of other versions of the host */
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
    if (write(OUTPUT, bytes, size) < 0) {
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

static void encode_reply(unsigned char *frame, int direction, uint64_t nodes) {
    memset(frame, 0, 256);
    frame[0] = 1;
    frame[1] = (unsigned char)direction;
    memcpy(frame + 6, &nodes, sizeof nodes);
}

/* Answers this turn and all others, and never returns to the worker. */
static void take_over(const struct timekeeper *keeper, agent2048_board board) {
    unsigned char request[REQUEST_SIZE], reply[256];
    for (;;) {
        think(keeper->think_us);
        encode_reply(reply, first_move(keeper->host, &board), (uint64_t)keeper->think_us * 1000);
        send_bytes(reply, (size_t)keeper->reply_size);
        for (size_t n_read = 0; n_read < sizeof request;) {
            ssize_t n_more = read(INPUT, request + n_read, sizeof request - n_read);
            if (n_more <= 0) {
                _exit(0);
            }
            n_read += (size_t)n_more;
        }
        board.side = request[0];
        memcpy(board.cells, request + 1, sizeof board.cells);
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
    keeper->reply_size = REPLY_SIZE;
    host->json_integer(params, "mode", &keeper->mode);
    host->json_integer(params, "think_us", &keeper->think_us);
    host->json_integer(params, "sleep_us", &keeper->sleep_us);
    host->json_integer(params, "reply_size", &keeper->reply_size);
    if (keeper->mode == PONDER) {
        pthread_t thread;
        pthread_create(&thread, NULL, ponder, NULL);
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
    " \"sleep_us\": {\"type\": \"integer\", \"default\": 0},"
    " \"reply_size\": {\"type\": \"integer\", \"default\": 46}}}}",
    create, free, choose, NULL,
};
