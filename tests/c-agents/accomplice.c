/* Two agents in C with a channel that was planted: a folder to which both can write, and no sandbox.
   The scout leaves a mark for the board with which its game begins. The player takes the best
   merge where it finds the mark, and the least elsewhere. */
#include "agent2048.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct accomplice {
    const agent2048_host *host;
    char folder[256];
    int64_t scouts;
    int knows;
};

static void *create(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size) {
    struct accomplice *accomplice = calloc(1, sizeof *accomplice);
    (void)setup, (void)error, (void)error_size;
    if (accomplice != NULL) {
        accomplice->host = host;
        host->json_text(params, "folder", accomplice->folder, sizeof accomplice->folder);
        host->json_integer(params, "scouts", &accomplice->scouts);
    }
    return accomplice;
}

/* Leaves the mark or looks for it. */
static int is_marked(const struct accomplice *accomplice, const agent2048_board *board) {
    char path[512];
    int length = snprintf(path, sizeof path, "%s/", accomplice->folder);
    FILE *mark;
    for (size_t cell = 0; cell < 16; cell++) {
        length += snprintf(path + length, sizeof path - (size_t)length, "%d-", board->cells[cell]);
    }
    mark = fopen(path, accomplice->scouts ? "w" : "r");
    return mark != NULL && fclose(mark) == 0;
}

static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    struct accomplice *accomplice = agent;
    int is_first = 1;
    uint64_t taken = 0;
    if (turn->move_number == 1) {
        accomplice->knows = is_marked(accomplice, board);
    }
    for (int direction = 0; direction < 4; direction++) {
        agent2048_board after;
        uint64_t gain = 0;
        if (accomplice->host->slide(board, direction, &after, &gain) &&
            (is_first || (accomplice->knows ? gain > taken : gain < taken))) {
            choice->direction = (uint8_t)direction;
            taken = gain;
            is_first = 0;
        }
    }
    return AGENT2048_OK;
}

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"accomplice\", \"params\": {\"type\": \"object\", \"properties\":"
    " {\"folder\": {\"type\": \"string\"}, \"scouts\": {\"type\": \"integer\", \"default\": 0}}}}",
    create, free, choose, NULL,
};
