/* A preload library that records what a program does to the files below a folder: every
 * write, rename, removal and sync, in the order in which the kernel did them.
 *
 * RECORDED_FOLDER is the folder, RECORDING the file that receives one line per call. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MOST_DESCRIPTORS = 4096 };

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static FILE *recording;
static char folder[4096];
static char is_ours[MOST_DESCRIPTORS];

/* The function of the C library that a function of this file stands before. */
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

/* Waits until no other thread changes a file; says whether calls are recorded. */
static int begin(void) {
    pthread_mutex_lock(&order);
    if (recording == NULL && getenv("RECORDING") != NULL) {
        snprintf(folder, sizeof folder, "%s", getenv("RECORDED_FOLDER"));
        recording = fopen(getenv("RECORDING"), "ae");
        unsetenv("RECORDING"); /* children of the program are not recorded */
    }
    return recording != NULL;
}

static void end(void) {
    int kept = errno;
    pthread_mutex_unlock(&order);
    errno = kept;
}

static void line(const char *format, ...) {
    int kept = errno;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(recording, format, arguments);
    va_end(arguments);
    fputc('\n', recording);
    fflush(recording);
    errno = kept;
}

/* The path relative to the folder, or NULL when it is not below it. */
static const char *below(const char *path, char *buffer, size_t size) {
    size_t length = strlen(folder);
    if (path[0] != '/') {
        char here[4096];
        if (getcwd(here, sizeof here) == NULL) return NULL;
        snprintf(buffer, size, "%s/%s", here, path);
        path = buffer;
    }
    if (strncmp(path, folder, length) != 0) return NULL;
    if (path[length] == '\0') return ".";
    return path[length] == '/' ? path + length + 1 : NULL;
}

static int is_known(int fd) { return fd >= 0 && fd < MOST_DESCRIPTORS && is_ours[fd]; }

static int record_open(const char *path, int flags, int fd) {
    char buffer[8192];
    const char *name = fd < 0 || fd >= MOST_DESCRIPTORS ? NULL : below(path, buffer, sizeof buffer);
    if (fd >= 0 && fd < MOST_DESCRIPTORS) is_ours[fd] = name != NULL;
    if (name != NULL) {
        const char *create = flags & O_CREAT ? "create" : "open";
        line("%s\t%d\t%s\t%s", create, fd, flags & O_TRUNC ? "truncate" : "keep", name);
    }
    return fd;
}

#define OPEN(function)                                                                  \
    int function(const char *path, int flags, ...) {                                    \
        va_list arguments;                                                              \
        va_start(arguments, flags);                                                     \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;  \
        va_end(arguments);                                                              \
        int (*next)(const char *, int, ...) = real(#function);                          \
        int recorded = begin();                                                         \
        int fd = next(path, flags, mode);                                               \
        if (recorded) record_open(path, flags, fd);                                     \
        end();                                                                          \
        return fd;                                                                      \
    }
OPEN(open)
OPEN(open64)

int close(int fd) {
    int (*next)(int) = real("close");
    int recorded = begin();
    if (recorded && is_known(fd)) {
        line("close\t%d", fd);
        is_ours[fd] = 0;
    }
    int result = next(fd);
    end();
    return result;
}

static void record_write(int fd, const char *bytes, ssize_t n_bytes) {
    fprintf(recording, "write\t%d\t", fd);
    for (ssize_t index = 0; index < n_bytes; index++) {
        fprintf(recording, "%02x", (unsigned char)bytes[index]);
    }
    line("%s", "");
}

ssize_t write(int fd, const void *bytes, size_t n_bytes) {
    ssize_t (*next)(int, const void *, size_t) = real("write");
    int recorded = begin();
    ssize_t written = next(fd, bytes, n_bytes);
    if (recorded && is_known(fd) && written > 0) record_write(fd, bytes, written);
    end();
    return written;
}

ssize_t writev(int fd, const struct iovec *parts, int n_parts) {
    ssize_t (*next)(int, const struct iovec *, int) = real("writev");
    int recorded = begin();
    ssize_t written = next(fd, parts, n_parts), rest = written;
    for (int index = 0; recorded && is_known(fd) && index < n_parts && rest > 0; index++) {
        ssize_t length = rest < (ssize_t)parts[index].iov_len ? rest : (ssize_t)parts[index].iov_len;
        record_write(fd, parts[index].iov_base, length);
        rest -= length;
    }
    end();
    return written;
}

#define SYNC(function)                                                   \
    int function(int fd) {                                               \
        int (*next)(int) = real(#function);                              \
        int recorded = begin();                                          \
        int result = next(fd);                                           \
        if (recorded && is_known(fd) && result == 0) line("sync\t%d", fd); \
        end();                                                           \
        return result;                                                   \
    }
SYNC(fsync)
SYNC(fdatasync)

#define TRUNCATE(function, offset)                                                     \
    int function(int fd, offset length) {                                              \
        int (*next)(int, offset) = real(#function);                                    \
        int recorded = begin();                                                        \
        int result = next(fd, length);                                                 \
        if (recorded && is_known(fd) && result == 0) line("cut\t%d\t%lld", fd, (long long)length); \
        end();                                                                         \
        return result;                                                                 \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

static int fcntl_with(const char *name, int fd, int command, void *argument) {
    int (*next)(int, int, ...) = real(name);
    int recorded = begin();
    int result = next(fd, command, argument);
    int is_copy = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    if (recorded && is_copy && is_known(fd) && result >= 0 && result < MOST_DESCRIPTORS) {
        is_ours[result] = 1;
        line("copy\t%d\t%d", fd, result);
    }
    end();
    return result;
}

#define FCNTL(function)                                       \
    int function(int fd, int command, ...) {                  \
        va_list arguments;                                    \
        va_start(arguments, command);                         \
        void *argument = va_arg(arguments, void *);           \
        va_end(arguments);                                    \
        return fcntl_with(#function, fd, command, argument);  \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

int rename(const char *from, const char *to) {
    int (*next)(const char *, const char *) = real("rename");
    char first[8192], second[8192];
    int recorded = begin();
    int result = next(from, to);
    if (recorded && result == 0) {
        const char *a = below(from, first, sizeof first), *b = below(to, second, sizeof second);
        if (a != NULL && b != NULL) line("rename\t%s\t%s", a, b);
    }
    end();
    return result;
}

static void record_path(const char *what, const char *path) {
    char buffer[8192];
    const char *name = below(path, buffer, sizeof buffer);
    if (name != NULL) line("%s\t%s", what, name);
}

int unlink(const char *path) {
    int (*next)(const char *) = real("unlink");
    int recorded = begin();
    int result = next(path);
    if (recorded && result == 0) record_path("remove", path);
    end();
    return result;
}

int mkdir(const char *path, mode_t mode) {
    int (*next)(const char *, mode_t) = real("mkdir");
    int recorded = begin();
    int result = next(path, mode);
    if (recorded && result == 0) record_path("folder", path);
    end();
    return result;
}
