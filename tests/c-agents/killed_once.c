/* An agent in C whose first worker dies as if the machine had killed it. MARK is a file that
 * tells later workers that this has happened. */
#define _POSIX_C_SOURCE 200809L
#include "agent2048.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void when_opened(void) {
    FILE *mark = fopen(MARK, "r");
    if (mark == NULL) {
        mark = fopen(MARK, "w");
        fclose(mark);
        kill(getpid(), SIGKILL);
        pause();
    }
    fclose(mark);
}

static void *create(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size) {
    (void)params, (void)setup, (void)error, (void)error_size;
    return (void *)host;
}

static void destroy(void *agent) { (void)agent; }

static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    const agent2048_host *host = agent;
    (void)turn;
    for (int direction = 0; direction < 4; direction++) {
        if (host->slide(board, direction, NULL, NULL)) {
            choice->direction = (uint8_t)direction;
            return AGENT2048_OK;
        }
    }
    return AGENT2048_ERROR;
}

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"killed\", \"version\": \"1\"}", create, destroy, choose, NULL,
};
