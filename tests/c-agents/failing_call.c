/* A preload library in which one function of the C library always fails. */
#include <errno.h>

int FUNCTION(int descriptor, int operation) {
    (void)descriptor, (void)operation;
    errno = ERROR;
    return -1;
}
