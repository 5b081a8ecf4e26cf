/* An agent in C that reads a file beside its plugin: the directions it prefers. */
#include "agent2048.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const agent2048_host *host;
    char preferred[4];
};

static void *create(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size) {
    char path[4096];
    struct reader *reader = calloc(1, sizeof *reader);
    FILE *file = NULL;
    (void)params;
    if (reader == NULL) return NULL;
    reader->host = host;
    if (host->json_text(setup, "folder", path, sizeof path - 32)) {
        strcat(path, "/reader.weights");
        file = fopen(path, "r");
    }
    if (file == NULL || fread(reader->preferred, 1, 4, file) != 4) {
        snprintf(error, error_size, "it cannot read its weights");
        return NULL;
    }
    fclose(file);
    if ((file = fopen(path, "r+")) != NULL) {
        snprintf(error, error_size, "it can write to its weights");
        return NULL;
    }
    return reader;
}

static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    const struct reader *reader = agent;
    (void)turn;
    for (int place = 0; place < 4; place++) {
        int direction = reader->preferred[place] - '0';
        if (reader->host->slide(board, direction, NULL, NULL)) {
            choice->direction = (uint8_t)direction;
            return AGENT2048_OK;
        }
    }
    return AGENT2048_ERROR;
}

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"reader\", \"version\": \"1.0\", \"author\": \"A. Student\","
    " \"description\": \"prefers the directions in its file\","
    " \"files\": [\"reader.weights\"]}",
    create, free, choose, NULL,
};
