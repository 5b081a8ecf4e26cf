/* An agent in C: it prefers one direction and takes the next legal one. */
#include "agent2048.h"

#include <stdlib.h>

struct corner {
    const agent2048_host *host;
    int first;
};

static void *create(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size) {
    struct corner *corner = malloc(sizeof *corner);
    int64_t first = AGENT2048_DOWN;
    (void)setup, (void)error, (void)error_size;
    if (corner != NULL) {
        host->json_integer(params, "first", &first);
        corner->host = host;
        corner->first = (int)first;
    }
    return corner;
}

static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    const struct corner *corner = agent;
    (void)turn;
    for (int step = 0; step < 4; step++) {
        int direction = (corner->first + step) % 4;
        if (corner->host->slide(board, direction, NULL, NULL)) {
            choice->direction = (uint8_t)direction;
            return AGENT2048_OK;
        }
    }
    return AGENT2048_ERROR;
}

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"corner\", \"version\": \"1.0\", \"author\": \"A. Student\","
    " \"params\": {\"type\": \"object\", \"properties\": {\"first\": {\"type\": \"integer\","
    " \"minimum\": 0, \"maximum\": 3, \"default\": 2, \"description\": \"the direction it prefers\"}}}}",
    create, free, choose, NULL,
};
