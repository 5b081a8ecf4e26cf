/* An agent in C that takes all memory on its third move. */
#include "agent2048.h"

#include <stdlib.h>
#include <string.h>

struct hog {
    const agent2048_host *host;
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

static void *create(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size) {
    struct hog *hog = calloc(1, sizeof *hog);
    (void)params, (void)setup, (void)error, (void)error_size;
    if (hog != NULL) {
        hog->host = host;
    }
    return hog;
}

static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    const struct hog *hog = agent;
    if (turn->move_number == 3) {
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
    "{\"name\": \"hog\"}",
    create, free, choose, NULL,
};
