/* A plugin that takes a while to open, so that a test can kill its worker meanwhile. */
#include "agent2048.h"

#include <stdlib.h>
#include <time.h>

__attribute__((constructor)) static void take_a_while(void) {
    while (clock() < CLOCKS_PER_SEC) {
    }
}

static void *create(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size) {
    (void)host, (void)params, (void)setup, (void)error, (void)error_size;
    return malloc(1);
}

static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    (void)agent, (void)board, (void)turn;
    choice->direction = 0;
    return AGENT2048_OK;
}

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"slow_to_open\"}", create, free, choose, NULL,
};
