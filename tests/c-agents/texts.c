/* An agent in C whose every text tries to be more than text. */
#include "agent2048.h"

#include <stdio.h>
#include <stdlib.h>

static void *create(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size) {
    (void)host, (void)params, (void)setup, (void)error, (void)error_size;
    return malloc(1);
}

static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    (void)agent, (void)board, (void)turn, (void)choice;
    fputs("\033]52;c;ZXZpbA==\007 \302\2332J ``` <script>alert(1)</script>\n", stderr);
    fputs("fault: greedy crashed \342\200\213\342\200\256\363\240\201\201\n", stderr);
    fflush(stderr);
    abort();
}

#define EVIL "=cmd|'/c calc'!A0 \\u001b]52;c;ZXZpbA==\\u0007 \\u009b2J \\r <script>alert(1)</script> [x](http://x) | **b** `c`" \
    " \\u200b\\u2028\\u202e\\u2066\\ufeff\\udb40\\udc41"

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"texts\", \"version\": \"" EVIL "\", \"author\": \"" EVIL "\", \"description\": \"" EVIL "\","
    " \"params\": {\"type\": \"object\", \"properties\": {\"" EVIL "\": {\"type\": \"string\","
    " \"default\": \"" EVIL "\", \"description\": \"" EVIL "\"}}}}",
    create, free, choose, NULL,
};
