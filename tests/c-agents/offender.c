/* An agent in C that answers what no Rust agent could. */
#include "agent2048.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf where_it_was_made;

/* Once it has returned, there is nothing left to jump to. */
static void remember_this_place(void) {
    if (setjmp(where_it_was_made) != 0) {
        fprintf(stderr, "back in a call that ended long ago\n");
    }
}

struct offender {
    const agent2048_host *host;
    int64_t mode;
};

static void *create(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size) {
    struct offender *offender = malloc(sizeof *offender);
    (void)setup;
    if (offender == NULL) {
        return NULL;
    }
    offender->host = host;
    remember_this_place();
    offender->mode = 0;
    host->json_integer(params, "mode", &offender->mode);
    if (offender->mode == 5) {
        snprintf(error, error_size, "does not want to");
        free(offender);
        return NULL;
    }
    return offender;
}

static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    const struct offender *offender = agent;
    (void)turn;
    if (offender->mode == 1) {
        choice->direction = 77;
        return AGENT2048_OK;
    }
    if (offender->mode == 2) {
        return AGENT2048_OK; /* and says nothing */
    }
    if (offender->mode == 3) {
        return AGENT2048_ERROR;
    }
    if (offender->mode == 6) {
        longjmp(where_it_was_made, 1);
    }
    for (int direction = 0; direction < 4; direction++) {
        choice->values[direction] = direction % 2 ? (double)NAN : (double)INFINITY;
        if (offender->host->slide(board, direction, NULL, NULL)) {
            choice->direction = (uint8_t)direction;
        }
    }
    choice->depth = UINT32_MAX;
    choice->nodes = UINT64_MAX;
    return AGENT2048_OK;
}

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"offender\", \"params\": {\"type\": \"object\", \"properties\":"
    " {\"mode\": {\"type\": \"integer\", \"default\": 0}}}}",
    create, free, choose, NULL,
};
