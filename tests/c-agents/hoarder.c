/* An agent in C that fills memory which the kernel no longer counts: it writes to a piece, gives up
   the permission to write, and takes the next one. Either all at once or 1 MiB per move. Then it
   keeps what it has, and plays on. */
#define _GNU_SOURCE
#include "agent2048.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PIECE = 1 << 20, MOST = 512 };

struct hoarder {
    const agent2048_host *host;
    int64_t per_move;
    int protection;
    int n_held;
    char error[32];
};

static void take(struct hoarder *hoarder) {
    char *piece = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece == MAP_FAILED) {
        snprintf(hoarder->error, sizeof hoarder->error, "only %d MiB", hoarder->n_held);
        return;
    }
    memset(piece, 1, PIECE);
    mprotect(piece, PIECE, hoarder->protection);
    hoarder->n_held++;
}

static void *create(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size) {
    struct hoarder *hoarder = calloc(1, sizeof *hoarder);
    int64_t hides = 0;
    (void)setup, (void)error, (void)error_size;
    if (hoarder != NULL) {
        hoarder->host = host;
        host->json_integer(params, "per_move", &hoarder->per_move);
        host->json_integer(params, "hides", &hides);
        hoarder->protection = hides ? PROT_NONE : PROT_READ;
    }
    return hoarder;
}

static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    struct hoarder *hoarder = agent;
    int64_t n_more = hoarder->per_move ? hoarder->per_move : MOST;
    (void)turn;
    while (n_more-- > 0 && hoarder->n_held < MOST && hoarder->error[0] == 0) {
        take(hoarder);
    }
    for (int direction = 0; direction < 4; direction++) {
        if (hoarder->host->slide(board, direction, NULL, NULL)) {
            choice->direction = (uint8_t)direction;
        }
    }
    return AGENT2048_OK;
}

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"hoarder\", \"params\": {\"type\": \"object\", \"properties\":"
    " {\"per_move\": {\"type\": \"integer\", \"default\": 0},"
    " \"hides\": {\"type\": \"integer\", \"default\": 0}}}}",
    create, free, choose, NULL,
};
