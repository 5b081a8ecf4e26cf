/* The worker's private pipe to the host, for agents that use it behind the worker's back;
   see host/crates/worker/src/child.rs and protocol.rs. */
#ifndef WORKER_PIPE_H
#define WORKER_PIPE_H

#include "agent2048.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { FROM_HOST = 200, TO_HOST = 201, TURN_SIZE = 114, REPLY_SIZE = 54, TOKEN_SIZE = 8 };

/* The token of the turn that the worker has just read: its frame is in the stack of the
   worker's own functions, above that of the agent. */
static inline const unsigned char *token_of(const agent2048_board *board) {
    unsigned char wanted[1 + sizeof board->cells];
    wanted[0] = (unsigned char)board->side;
    memcpy(wanted + 1, board->cells, sizeof board->cells);
    for (const unsigned char *at = wanted + sizeof wanted;; at++) {
        if (memcmp(at, wanted, sizeof wanted) == 0) {
            return at + TURN_SIZE - TOKEN_SIZE;
        }
    }
}

static inline void encode_reply(unsigned char *frame, int direction, uint64_t nodes,
                                const unsigned char *token) {
    memset(frame, 0, REPLY_SIZE);
    frame[0] = 1;
    frame[1] = (unsigned char)direction;
    memcpy(frame + 6, &nodes, sizeof nodes);
    memcpy(frame + REPLY_SIZE - TOKEN_SIZE, token, TOKEN_SIZE);
}

static inline void read_turn(unsigned char *frame) {
    for (size_t n_read = 0; n_read < TURN_SIZE;) {
        ssize_t n_more = read(FROM_HOST, frame + n_read, TURN_SIZE - n_read);
        if (n_more <= 0) {
            _exit(0);
        }
        n_read += (size_t)n_more;
    }
}

#endif
