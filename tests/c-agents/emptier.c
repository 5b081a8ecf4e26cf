/* A library that empties the file TARGET as soon as it is opened. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void empty(void) {
    int file = open(TARGET, O_WRONLY | O_TRUNC);
    if (file >= 0) {
        close(file);
    }
    file = open(TARGET, O_RDONLY | O_TRUNC);
    if (file >= 0) {
        close(file);
    }
    if (truncate(TARGET, 0) != 0) {
        file = open(TARGET ".new", O_RDONLY | O_CREAT, 0600);
    }
}
