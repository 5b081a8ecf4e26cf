/* An agent in C that speaks to the host in the name of its worker: it writes a report to the
   worker's own pipe. The file that includes this one defines REPORT, the JSON up to the place
   where more letters go, END, the rest of it, N_LETTERS, and WHEN. */
#include "worker_pipe.h"

#include <stdlib.h>

enum { WHEN_LOADED, IN_CREATE, IN_CHOOSE, IN_EXTENSION };

static void write_all(const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t n_written = write(TO_HOST, at, size);
        if (n_written <= 0) {
            _exit(1);
        }
        at += n_written;
        size -= (size_t)n_written;
    }
}

static void forge(int when) {
    static const char letters[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
    if (WHEN != when) {
        return;
    }
    uint32_t n_left = N_LETTERS;
    uint32_t length = (uint32_t)(strlen(REPORT) + strlen(END)) + n_left;
    write_all(&length, sizeof length);
    write_all(REPORT, strlen(REPORT));
    while (n_left > 0) {
        uint32_t n_now = n_left < sizeof letters - 1 ? n_left : (uint32_t)sizeof letters - 1;
        write_all(letters, n_now);
        n_left -= n_now;
    }
    write_all(END, strlen(END));
    _exit(0);
}

__attribute__((constructor)) static void when_loaded(void) {
    forge(WHEN_LOADED);
}

static void *create(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size) {
    (void)host, (void)params, (void)setup, (void)error, (void)error_size;
    forge(IN_CREATE);
    return malloc(1);
}

static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    (void)agent, (void)turn, (void)choice;
    if (WHEN == IN_CHOOSE) {
        unsigned char reply[REPLY_SIZE];
        encode_reply(reply, 0, 0, token_of(board));
        reply[0] = 0; /* no answer, but a report */
        write_all(reply, sizeof reply);
        forge(IN_CHOOSE);
    }
    return AGENT2048_ERROR;
}

static int extension(const char *name, const char *request, const agent2048_sink *sink,
                     char *error, size_t error_size) {
    (void)name, (void)request, (void)sink, (void)error, (void)error_size;
    forge(IN_EXTENSION);
    return AGENT2048_UNKNOWN;
}

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"forger\", \"extensions\": [\"solve/1\"]}",
    create, free, choose, extension,
};
