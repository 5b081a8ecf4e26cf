/* A plugin that crashes before anybody can ask it for its name. */
#include "agent2048.h"

#include <signal.h>

__attribute__((constructor)) static void crash(void) {
    raise(SIGSEGV);
    *(volatile int *)0 = 1;
}

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"crash_on_load\"}", 0, 0, 0, 0,
};
