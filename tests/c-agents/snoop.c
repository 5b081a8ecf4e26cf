/* An agent in C that tries what a sandbox must not allow. It never plays: it is rejected
   with a sentence that says what it found. */
#define _GNU_SOURCE
#include "agent2048.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, N_BITS = 64, MEBIBYTE = 1 << 20 };

static const agent2048_host *host;
static char path[1024];
static uint64_t secret;

/* 0 when the call worked. Each is tried with arguments that the kernel would accept. */
#define ERROR_OF(call) (errno = 0, (long)(call) == -1 ? errno : 0)

/* Calls that must not be permitted; names those that are not answered so. */
static void denied(char *report, size_t size) {
    static char memory[2 * PAGE];
    char *page = memory + PAGE - (uintptr_t)memory % PAGE;
    unsigned char resident;
    char how[24] = {0};
    struct sysinfo machine;
    struct timespec now;
    struct flock lock = {0};
    struct rlimit limit;
    int file = open(path, O_RDONLY), ends[2], pidfd = 0;
    int errors[] = {
        ERROR_OF(mincore(page, PAGE, &resident)),
        ERROR_OF(madvise(page, PAGE, 20 /* MADV_COLD */)),
        ERROR_OF(madvise(page, PAGE, 21 /* MADV_PAGEOUT */)),
        ERROR_OF(madvise(page, PAGE, MADV_MERGEABLE)),
        ERROR_OF(syscall(SYS_fadvise64, file, 0, 0, POSIX_FADV_DONTNEED)),
        ERROR_OF(syscall(451 /* cachestat */, file, how, how, 0)),
        ERROR_OF(memfd_create("hoard", 0)),
        ERROR_OF(pipe(ends)),
        ERROR_OF(sysinfo(&machine)),
        ERROR_OF(flock(file, LOCK_EX | LOCK_NB)),
        ERROR_OF(fcntl(file, F_SETLK, &lock)),
        ERROR_OF(fcntl(file, F_GETLK, &lock)),
        ERROR_OF(fcntl(file, F_OFD_SETLK, &lock)),
        ERROR_OF(syscall(SYS_inotify_init1, 0)),
        ERROR_OF(syscall(SYS_utimensat, AT_FDCWD, path, NULL, 0)),
        ERROR_OF(syscall(SYS_sched_setaffinity, 0, 0, NULL)),
        ERROR_OF(setpriority(PRIO_PROCESS, 0, 1)),
        ERROR_OF(open(path, O_WRONLY)),
        ERROR_OF(open(path, O_RDWR)),
        ERROR_OF(open(path, O_RDONLY | O_TRUNC)),
        ERROR_OF(open("/new", O_RDONLY | O_CREAT, 0600)),
        ERROR_OF(open("/", O_TMPFILE | O_RDWR, 0600)),
        ERROR_OF(truncate(path, 0)),
        ERROR_OF((long)mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
        ERROR_OF((long)mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0)),
        ERROR_OF(syscall(SYS_futex, page, FUTEX_WAKE, 1, NULL, NULL, 0)),
        ERROR_OF(clock_gettime((clockid_t)-14 /* of process 1 */, &now)),
        ERROR_OF(syscall(SYS_prlimit64, getppid() ? getppid() : 1, RLIMIT_AS, NULL, &limit)),
        ERROR_OF(syscall(SYS_clone, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_PIDFD, NULL, &pidfd, NULL, 0)),
        ERROR_OF(syscall(SYS_chroot, "/")),
        ERROR_OF(syscall(SYS_unshare, CLONE_NEWUSER)),
        ERROR_OF(syscall(SYS_setrlimit, RLIMIT_AS, &limit)),
        ERROR_OF(syscall(SYS_set_tid_address, page)),
        ERROR_OF(syscall(SYS_membarrier, 1 /* of the whole machine */, 0, 0)),
    };
    size_t length = 0;
    for (size_t number = 0; number < sizeof errors / sizeof *errors; number++) {
        if (errors[number] != EPERM) {
            length += (size_t)snprintf(report + length, size - length, "attempt %zu gave error %d; ",
                                       number, errors[number]);
        }
    }
    if (syscall(SYS_openat2, AT_FDCWD, path, how, sizeof how) != -1 || errno != ENOSYS) {
        length += (size_t)snprintf(report + length, size - length, "openat2 is known; ");
    }
    snprintf(report + length, size - length, "tried %zu", sizeof errors / sizeof *errors);
}

/* What there is to see. */
static void look_around(char *report, size_t size) {
    static const char *const places[] = {"/etc/passwd", "/proc", "/proc/self", "/home", "/tmp",
                                         "/usr/bin", "/sys", "/dev/shm", "/var"};
    struct stat found;
    struct utsname machine;
    size_t length;
    uname(&machine);
    length = (size_t)snprintf(report, size, "process %d of %d on %s;", (int)getpid(),
                              (int)getppid(), machine.nodename);
    for (size_t number = 0; number < sizeof places / sizeof *places; number++) {
        if (stat(places[number], &found) == 0) {
            length += (size_t)snprintf(report + length, size - length, " %s exists", places[number]);
        }
    }
    if (stat(path, &found) == 0) {
        snprintf(report + length, size - length, " size %lld", (long long)found.st_size);
    }
}

static void *sleep_for_ever(void *nothing) {
    for (;;) {
        sleep(1);
    }
    return nothing;
}

static void start_threads(char *report, size_t size) {
    pthread_attr_t small;
    pthread_t thread;
    int started = 0;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 15);
    while (started < 5000 && pthread_create(&thread, &small, sleep_for_ever, NULL) == 0) {
        started++;
    }
    snprintf(report, size, "started %d threads", started);
}

/* More of the stack than there should be. */
static unsigned fill_stack(unsigned n_left) {
    volatile char piece[MEBIBYTE];
    piece[0] = piece[MEBIBYTE - 1] = (char)n_left;
    return n_left == 0 ? 0 : fill_stack(n_left - 1) + (unsigned char)piece[0] / 255u + 1;
}

static void fill_memory(char *report, size_t size) {
    int filled = 0;
    for (; filled < 4096; filled++) {
        char *memory = mmap(NULL, MEBIBYTE, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            break;
        }
        memset(memory, 1, MEBIBYTE);
    }
    snprintf(report, size, "filled %d MiB", filled);
}

/* Address space is not memory. */
static void reserve(char *report, size_t size) {
    void *memory = mmap(NULL, (size_t)32 << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    snprintf(report, size, memory == MAP_FAILED ? "cannot reserve" : "reserved");
}

static double microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* One bit per region of the file: out of memory, or not. */
enum { REGION = 64 * PAGE };

static unsigned char *map_file(void) {
    int file = open(path, O_RDONLY);
    void *memory = file < 0 ? MAP_FAILED
                            : mmap(NULL, N_BITS * REGION, PROT_READ, MAP_PRIVATE, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void write_page_cache(char *report, size_t size) {
    unsigned char *memory = map_file();
    volatile unsigned char sum = 0;
    int failed = 0;
    for (int bit = 0; memory != NULL && bit < N_BITS; bit++) {
        for (int at = 0; at < REGION; at += PAGE) {
            sum = (unsigned char)(sum + memory[bit * REGION + at]);
        }
        if (secret >> bit & 1) {
            failed |= madvise(memory + bit * REGION, REGION, 21 /* MADV_PAGEOUT */);
        }
    }
    snprintf(report, size, memory == NULL ? "no file" : failed ? "cannot write" : "written");
}

/* Reads the bits by asking, and failing that by the time it takes to touch a page. */
static void read_page_cache(char *report, size_t size) {
    unsigned char *memory = map_file(), resident[REGION / PAGE];
    volatile unsigned char sum = 0;
    uint64_t asked = 0, timed = 0;
    int can_ask = memory != NULL;
    for (int bit = 0; memory != NULL && bit < N_BITS; bit++) {
        can_ask &= mincore(memory + bit * REGION, REGION, resident) == 0;
        asked |= (uint64_t)!(resident[REGION / PAGE / 2] & 1) << bit;
    }
    for (int bit = 0; memory != NULL && bit < N_BITS; bit++) {
        double start = microseconds();
        sum = (unsigned char)(sum + memory[bit * REGION + REGION / 2]);
        timed |= (uint64_t)(microseconds() - start > 20) << bit;
    }
    snprintf(report, size, "asked %s %016llx timed %016llx", can_ask ? "yes" : "no",
             (unsigned long long)(can_ask ? asked : 0), (unsigned long long)timed);
}

/* One bit per file of a folder: read, or not. */
static void use_access_times(int is_sender, char *report, size_t size) {
    uint64_t bits = 0;
    for (int bit = 0; bit < N_BITS; bit++) {
        char name[1100], byte;
        struct stat found;
        snprintf(name, sizeof name, "%s/%d", path, bit);
        if (is_sender && secret >> bit & 1) {
            int file = open(name, O_RDONLY);
            if (file < 0 || read(file, &byte, 1) != 1) {
                snprintf(report, size, "no file %d", bit);
                return;
            }
            close(file);
        }
        if (!is_sender && stat(name, &found) == 0) {
            bits |= (uint64_t)(found.st_atime > found.st_mtime) << bit;
        }
    }
    snprintf(report, size, "bits %016llx", (unsigned long long)bits);
}

static void *create(const agent2048_host *given, const char *params, const char *setup,
                    char *error, size_t error_size) {
    char mode[32] = {0}, hexadecimal[32] = {0};
    (void)setup;
    host = given;
    host->json_text(params, "mode", mode, sizeof mode);
    host->json_text(params, "path", path, sizeof path);
    host->json_text(params, "secret", hexadecimal, sizeof hexadecimal);
    secret = strtoull(hexadecimal, NULL, 16);
    if (strcmp(mode, "denied") == 0) {
        denied(error, error_size);
    } else if (strcmp(mode, "look-around") == 0) {
        look_around(error, error_size);
    } else if (strcmp(mode, "threads") == 0) {
        start_threads(error, error_size);
    } else if (strcmp(mode, "memory") == 0) {
        fill_memory(error, error_size);
    } else if (strcmp(mode, "reserve") == 0) {
        reserve(error, error_size);
    } else if (strcmp(mode, "stack") == 0) {
        snprintf(error, error_size, "filled %u MiB of the stack", fill_stack(64));
    } else if (strcmp(mode, "write-page-cache") == 0) {
        write_page_cache(error, error_size);
    } else if (strcmp(mode, "read-page-cache") == 0) {
        read_page_cache(error, error_size);
    } else {
        use_access_times(strcmp(mode, "write-access-times") == 0, error, error_size);
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
    "{\"name\": \"snoop\", \"params\": {\"type\": \"object\", \"properties\":"
    " {\"mode\": {\"type\": \"string\"}, \"path\": {\"type\": \"string\"},"
    " \"secret\": {\"type\": \"string\"}}}}",
    create, free, choose, NULL,
};
