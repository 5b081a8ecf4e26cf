/* An agent in C that takes what the machine shares out: signals that wait, threads, or memory. It never
   plays: it is rejected with a sentence that says how much it got. */
#define _GNU_SOURCE
#include "agent2048.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The signals that a process may send itself, kept waiting by a thread that blocks them. The thread
   library does not let them be blocked, so the kernel is asked. */
static void take_signals(char *report, size_t size) {
    const int most = 200000;
    unsigned long all = ~0UL;
    long process = syscall(SYS_getpid), thread = syscall(SYS_gettid);
    int n_sent = 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL, sizeof all);
    while (n_sent < most && syscall(SYS_tgkill, process, thread, 33) == 0) {
        n_sent++;
    }
    snprintf(report, size, "took %d signals", n_sent);
}

static void *hold(void *nothing) {
    for (;;) {
        sleep(1000);
    }
    return nothing;
}

/* Threads that sleep, and are kept for a while. */
static void take_threads(char *report, size_t size) {
    struct timespec a_while = {1, 0};
    pthread_attr_t small;
    pthread_t thread;
    int n_started = 0;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    while (n_started < 1000 && pthread_create(&thread, &small, hold, NULL) == 0) {
        n_started++;
    }
    nanosleep(&a_while, NULL);
    snprintf(report, size, "took %d threads", n_started);
}

static void take_memory(char *report, size_t size) {
    int n_taken = 0;
    char *piece;
    while ((piece = malloc(1 << 20)) != NULL) {
        memset(piece, 1, 1 << 20);
        n_taken++;
    }
    snprintf(report, size, "took %d MiB", n_taken);
}

static void *create(const agent2048_host *host, const char *params, const char *setup, char *error,
                    size_t error_size) {
    char what[32] = {0};
    (void)setup;
    host->json_text(params, "takes", what, sizeof what);
    if (strcmp(what, "signals") == 0) {
        take_signals(error, error_size);
    } else if (strcmp(what, "threads") == 0) {
        take_threads(error, error_size);
    } else {
        take_memory(error, error_size);
    }
    return NULL;
}

static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    (void)agent;
    (void)board;
    (void)turn;
    (void)choice;
    return AGENT2048_ERROR;
}

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"glutton\", \"params\": {\"type\": \"object\", \"properties\":"
    " {\"takes\": {\"type\": \"string\"}}}}",
    create, free, choose, NULL,
};
