/* An agent in C that has one mistake, chosen by -DMISTAKE=... when it is compiled. */
#define _POSIX_C_SOURCE 200809L
#include "agent2048.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    NONE, ALWAYS_UP, NO_HIGH_TILES, CHATTY, BY_THE_CLOCK, GLOBAL_STATE, LEAKS, SLOW, TOO_MANY_NODES,
    THINKS_ON, BAD_DEFAULT, NO_TYPE, BAD_NAME, BAD_BOARDS, INFINITE, SLOW_TO_LOAD, FREES_TWICE,
    NO_EXTENSION, NO_SIZE_3, OTHER_MAJOR, CRASHES, REFUSES, NO_JSON, STRICT_SETUP, ONLY_TENTH,
    LOOKS_TWICE, SLEEPS, SPINS, NOTES_TOO_MUCH
};

#ifndef MISTAKE
#define MISTAKE NONE
#endif

struct broken {
    const agent2048_host *host;
    unsigned n_turns;
    char *volatile leak;
};

static unsigned n_turns_of_all;

static uint64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void burn(uint64_t nanoseconds) {
    uint64_t start = now(CLOCK_PROCESS_CPUTIME_ID);
    while (now(CLOCK_PROCESS_CPUTIME_ID) - start < nanoseconds) {
    }
}

static void *think_on(void *unused) {
    (void)unused;
    for (;;) {
        burn(1000000);
    }
    return NULL;
}

__attribute__((constructor)) static void when_loaded(void) {
    if (MISTAKE == SLOW_TO_LOAD) {
        burn(120000000);
    }
}

static void *create(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size) {
    struct broken *broken = calloc(1, sizeof *broken);
    int64_t side = 0;
    double four = 0;
    pthread_t thread;
    (void)params;
    host->json_integer(setup, "board", &side);
    host->json_number(setup, "four", &four);
    int refuses = (MISTAKE == REFUSES || MISTAKE == SLOW_TO_LOAD)
                  || (MISTAKE == NO_SIZE_3 && side == 3)
                  || (MISTAKE == STRICT_SETUP && strstr(setup, "later") != NULL)
                  || (MISTAKE == ONLY_TENTH && fabs(four - 0.1) > 0.01);
    if (broken == NULL || refuses) {
        snprintf(error, error_size, "does not want to");
        free(broken);
        return NULL;
    }
    if (MISTAKE == SLEEPS) {
        nanosleep(&(struct timespec){60, 0}, NULL);
    }
    if (MISTAKE == SPINS) {
        burn(200000000);
    }
    if (MISTAKE == THINKS_ON) {
        pthread_create(&thread, NULL, think_on, NULL);
    }
    broken->host = host;
    return broken;
}

static void destroy(void *agent) {
    free(agent);
    if (MISTAKE == FREES_TWICE) {
        abort(); /* what the allocator does when it notices */
    }
}

static int is_high(const agent2048_board *board) {
    for (int cell = 0; cell < 64; cell++) {
        if (board->cells[cell] > 15) {
            return 1;
        }
    }
    return 0;
}

/* Takes a move only where it finds another one behind the new tile. */
static int look_twice(const agent2048_host *host, const agent2048_board *board,
                      agent2048_choice *choice) {
    for (uint8_t direction = 0; direction < 4; direction++) {
        agent2048_board after;
        if (!host->slide(board, direction, &after, NULL)) {
            continue;
        }
        for (int cell = 0; cell < after.side * after.side; cell++) {
            after.cells[cell] = after.cells[cell] == 0 ? 30 : after.cells[cell];
        }
        for (int next = 0; next < 4; next++) {
            if (host->slide(&after, next, NULL, NULL)) {
                choice->direction = direction;
                return AGENT2048_OK;
            }
        }
    }
    return AGENT2048_ERROR;
}

static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    struct broken *broken = agent;
    unsigned start = broken->n_turns++;
    n_turns_of_all++;
    if (MISTAKE == ALWAYS_UP) {
        choice->direction = AGENT2048_UP;
        return AGENT2048_OK;
    }
    if (MISTAKE == CRASHES || (MISTAKE == NO_HIGH_TILES && is_high(board))) {
        abort();
    }
    if (MISTAKE == CHATTY) {
        printf("thinking about move %u\n", (unsigned)turn->move_number);
    }
    if (MISTAKE == LEAKS) {
        broken->leak = malloc(512 * 1024);
        memset(broken->leak, 1, 512 * 1024);
    }
    if (MISTAKE == SLOW && turn->income_ns >= 1000000) {
        burn(30000000);
    }
    if (MISTAKE == TOO_MANY_NODES) {
        choice->nodes = turn->nodes + 1;
    }
    if (MISTAKE == INFINITE) {
        choice->values[0] = (double)INFINITY;
    }
    if (MISTAKE == NOTES_TOO_MUCH && turn->note_number != NULL) {
        turn->note_number("a share", (double)NAN);
        turn->note_number("a\033[2Jname", 0.5);
        turn->note_number("a name of many characters", 1);
        for (char name[] = "0"; name[0] <= '9'; name[0]++) {
            turn->note_number(name, 2);
        }
    }
    if (MISTAKE == BY_THE_CLOCK) {
        start = (unsigned)(now(CLOCK_MONOTONIC) / 1000);
    }
    if (MISTAKE == GLOBAL_STATE) {
        start = n_turns_of_all;
    }
    if (MISTAKE == LOOKS_TWICE) {
        return look_twice(broken->host, board, choice);
    }
    for (unsigned step = 0; step < 4; step++) {
        uint8_t direction = (uint8_t)((start + step) % 4);
        if (broken->host->slide(board, direction, NULL, NULL)) {
            choice->direction = direction;
            return AGENT2048_OK;
        }
    }
    return AGENT2048_ERROR;
}

#if MISTAKE == 10
#define PARAMS "{\"type\": \"object\", \"properties\": {\"depth\": {\"type\": \"integer\", \"default\": \"three\", \"description\": \"d\"}}}"
#elif MISTAKE == 11
#define PARAMS "{\"type\": \"object\", \"properties\": {\"depth\": {\"default\": 3, \"description\": \"d\"}}}"
#else
#define PARAMS "{\"type\": \"object\", \"properties\": {\"depth\": {\"type\": \"integer\", \"default\": 3, \"description\": \"d\"}}}"
#endif

#if MISTAKE == 12
#define NAME "my agent!"
#else
#define NAME PLUGIN_NAME
#endif

#if MISTAKE == 13
#define BOARDS "{\"min\": 4, \"max\": 9}"
#else
#define BOARDS "{\"min\": 2, \"max\": 8}"
#endif

#if MISTAKE == 7
#define HONOURS "[\"time\"]"
#elif MISTAKE == 8
#define HONOURS "[\"nodes\"]"
#else
#define HONOURS "[]"
#endif

#if MISTAKE == 17
#define EXTENSIONS "[\"solve/1\"]"
#else
#define EXTENSIONS "[]"
#endif

#if MISTAKE == 22
#define INFO "name: broken"
#else
#define INFO \
    "{\"name\": \"" NAME "\", \"version\": \"1.0\", \"author\": \"A. Student\"," \
    " \"description\": \"has one mistake\", \"boards\": " BOARDS ", \"honours\": " HONOURS "," \
    " \"params\": " PARAMS ", \"extensions\": " EXTENSIONS "}"
#endif

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), MISTAKE == OTHER_MAJOR ? 9u : AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    INFO, create, destroy, choose, NULL,
};
