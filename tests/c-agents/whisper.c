/* An agent in C that tries to talk to another agent's game. It never plays: it is rejected with a
   sentence that says what it has heard.

   `wake` and `listen` meet at futexes in pages of files. No agent may wake a futex that is not
   private to its process, so the kernel is made to do it: when a thread ends, at the address that
   CLONE_CHILD_CLEARTID names, and for the lock that the thread was about to take. */
#define _GNU_SOURCE
#include "agent2048.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, N_PLACES = 7, WAYS = 2, N_WORDS = N_PLACES * WAYS, SECONDS = 3 };

/* The first two zeros of each page, one for each way to wake. */
static const char *const names[N_PLACES] = {"libc",   "host",         "loader",     "own",
                                            "kernel", "shared-cache", "shared-own"};
static uint32_t *words[N_WORDS];
static volatile int is_heard[N_WORDS];
static time_t end;

static void *page_of(const void *address) {
    Dl_info info;
    return dladdr(address, &info) ? info.dli_fbase : NULL;
}

static void *page_of_file(const char *path) {
    int file = open(path, O_RDONLY);
    void *page = file < 0 ? MAP_FAILED : mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file, 0);
    return page == MAP_FAILED ? NULL : page;
}

static void find_words(const agent2048_host *host) {
    Dl_info own = {0};
    void *pages[N_PLACES] = {
        page_of((void *)(uintptr_t)&printf),
        page_of((void *)(uintptr_t)host->json_text),
        (void *)getauxval(AT_BASE),
        page_of(names),
        (void *)getauxval(AT_SYSINFO_EHDR),
        page_of_file("/etc/ld.so.cache"),
        dladdr(names, &own) ? page_of_file(own.dli_fname) : NULL,
    };
    for (int place = 0; place < N_PLACES; place++) {
        uint32_t *page = pages[place];
        int n_found = 0;
        for (int at = 0; page != NULL && at < PAGE / 4 && n_found < WAYS; at++) {
            if (page[at] == 0) {
                words[place * WAYS + n_found++] = page + at;
            }
        }
    }
}

static int is_over(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec >= end;
}

static void *listen_to(void *number) {
    intptr_t word = (intptr_t)number;
    struct timespec soon = {0, 200000000};
    while (!is_heard[word] && !is_over()) {
        is_heard[word] = syscall(SYS_futex, words[word], FUTEX_WAIT, 0, &soon, NULL, 0) == 0;
    }
    return NULL;
}

static int end_at_once(void *nothing) {
    (void)nothing;
    return 0;
}

/* A thread that ends while it is about to take a lock, which nothing holds. */
static void *end_while_locking(void *address) {
    static __thread struct {
        void *next;
        long offset;
        void *pending;
    } list;
    list.next = &list.next;
    list.pending = address;
    syscall(SYS_set_robust_list, &list, sizeof list);
    syscall(SYS_exit, 0);
    return NULL;
}

static void wake_all(void) {
    static char stacks[N_PLACES][1 << 14];
    struct timespec pause = {0, 5000000};
    int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
                CLONE_CHILD_CLEARTID;
    for (int place = 0; place < N_PLACES; place++) {
        uint32_t **pair = words + place * WAYS;
        pthread_t thread;
        if (pair[0] != NULL) {
            clone(end_at_once, stacks[place] + sizeof stacks[place], flags, NULL, NULL, NULL, pair[0]);
        }
        if (pair[1] != NULL && pthread_create(&thread, NULL, end_while_locking, pair[1]) == 0) {
            pthread_join(thread, NULL);
        }
    }
    nanosleep(&pause, NULL);
}

static void talk(int wakes, int listens, char *report, size_t size) {
    pthread_t threads[N_WORDS];
    struct timespec now;
    size_t length;
    clock_gettime(CLOCK_MONOTONIC, &now);
    end = now.tv_sec + SECONDS + 1;
    for (intptr_t word = 0; listens && word < N_WORDS; word++) {
        if (words[word] == NULL || pthread_create(threads + word, NULL, listen_to, (void *)word)) {
            threads[word] = pthread_self();
        }
    }
    while (!is_over() && wakes) {
        int n_left = 0;
        wake_all();
        for (int word = 0; word < N_WORDS; word++) {
            n_left += !is_heard[word];
        }
        if (listens && n_left <= WAYS /* the kernel's own page is no file */) {
            break;
        }
    }
    for (int word = 0; listens && word < N_WORDS; word++) {
        if (!pthread_equal(threads[word], pthread_self())) {
            pthread_join(threads[word], NULL);
        }
    }
    length = (size_t)snprintf(report, size, listens ? "heard" : "woke");
    for (int word = 0; listens && word < N_WORDS; word++) {
        if (is_heard[word]) {
            length += (size_t)snprintf(report + length, size - length, " %s-%s", names[word / WAYS],
                                       word % WAYS ? "lock" : "thread");
        }
    }
}

static void *sleep_for_ever(void *nothing) {
    for (;;) {
        sleep(1);
    }
    return nothing;
}

/* Sleeps with many threads while the host looks at them. */
static void crowd(char *report, size_t size) {
    pthread_t thread;
    struct timespec pause = {0, 500000000};
    int n_threads = 0;
    while (n_threads < 200 && pthread_create(&thread, NULL, sleep_for_ever, NULL) == 0) {
        n_threads++;
    }
    nanosleep(&pause, NULL);
    snprintf(report, size, "slept with %d threads", n_threads);
}

/* The numbers of the connections to the host. */
static void number(char *report, size_t size) {
    size_t length = (size_t)snprintf(report, size, "numbers");
    struct stat found;
    for (int descriptor = 0; descriptor < 256; descriptor++) {
        if (fstat(descriptor, &found) == 0 && S_ISFIFO(found.st_mode)) {
            length += (size_t)snprintf(report + length, size - length, " %llu",
                                       (unsigned long long)found.st_ino);
        }
    }
}

static void *create(const agent2048_host *host, const char *params, const char *setup, char *error,
                    size_t error_size) {
    char mode[32] = {0};
    int64_t nodes = 0;
    host->json_text(params, "mode", mode, sizeof mode);
    host->json_integer(setup, "nodes", &nodes);
    if (strcmp(mode, "by-budget") == 0) {
        strcpy(mode, nodes == 1 ? "wake" : "listen");
    }
    find_words(host);
    if (strcmp(mode, "number") == 0) {
        number(error, error_size);
    } else if (strcmp(mode, "crowd") == 0) {
        crowd(error, error_size);
    } else {
        talk(strcmp(mode, "listen") != 0, strcmp(mode, "wake") != 0, error, error_size);
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
    "{\"name\": \"whisper\", \"params\": {\"type\": \"object\", \"properties\":"
    " {\"mode\": {\"type\": \"string\"}}}}",
    create, free, choose, NULL,
};
