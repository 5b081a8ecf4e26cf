/* An agent in C that takes all memory or all threads on its third move. */
#include "agent2048.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct hog {
    const agent2048_host *host;
    int64_t takes_threads;
};

static void take_memory(void) {
    const size_t piece = 1 << 20;
    for (;;) {
        char *memory = malloc(piece);
        if (memory == NULL) {
            abort();
        }
        memset(memory, 1, piece);
    }
}

static void *hold(void *nothing) {
    for (;;) {
        sleep(1000);
    }
    return nothing;
}

static void take_threads(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, hold, NULL);
    }
}

static void *create(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size) {
    struct hog *hog = calloc(1, sizeof *hog);
    (void)setup, (void)error, (void)error_size;
    if (hog != NULL) {
        hog->host = host;
        host->json_integer(params, "takes_threads", &hog->takes_threads);
    }
    return hog;
}

static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    const struct hog *hog = agent;
    if (turn->move_number == 3) {
        if (hog->takes_threads) {
            take_threads();
        }
        take_memory();
    }
    for (int direction = 0; direction < 4; direction++) {
        if (hog->host->slide(board, direction, NULL, NULL)) {
            choice->direction = (uint8_t)direction;
        }
    }
    return AGENT2048_OK;
}

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"hog\", \"params\": {\"type\": \"object\", \"properties\":"
    " {\"takes_threads\": {\"type\": \"integer\", \"default\": 0}}}}",
    create, free, choose, NULL,
};
