/* agent2048.h: the C ABI of a plugin for Arena 2048, version 1.2.
 *
 * A plugin is a shared library that exports one object, `agent2048_entry`. Build:
 *
 *     cc -O2 -shared -fPIC -I plugin-api/include my_agent.c -o libmy_agent.so
 *
 * Complete agents: plugin-api/c-examples. Tutorial: docs/writing-an-agent.md.
 * Compatibility between versions: docs/abi.md.
 *
 * Rules for all functions:
 *   - Two agents of one plugin may exist at once in one process, so keep their state
 *     in the object that `create` returns.
 *   - Strings are UTF-8 and end with a zero byte.
 *   - The side that allocates memory frees it.
 *   - No exception and no longjmp may cross this boundary: it would end the process,
 *     and the game would count as a crash, with the exception's type and text in the
 *     report. Catch what your code throws.
 *   - The process has no network access. It can read only the system's libraries and
 *     what the tournament allows. Its stdout is redirected to stderr.
 *
 * Each function states three things:
 *   [thread]    the thread that calls it;
 *   [state]     when it may be called;
 *   [lifetime]  how long the pointers it receives or returns are valid.
 *
 * Versions 1.x only append. Every struct that may grow starts with its size, and a
 * field is read only if the size covers it. Reserved fields are
 * zero and may get a meaning later.
 */
#ifndef AGENT2048_H
#define AGENT2048_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AGENT2048_MAJOR 1u
#define AGENT2048_MINOR 2u

#define AGENT2048_EXPORT __attribute__((visibility("default")))

/* Without optimisation (`-O2`) a plugin is several times slower. This tells the host, which
 * warns the author. */
#if defined(__GNUC__) && !defined(__OPTIMIZE__)
extern AGENT2048_EXPORT __attribute__((weak)) const unsigned char agent2048_unoptimised;
const unsigned char agent2048_unoptimised = 1;
#endif

/* Directions. */
enum { AGENT2048_UP = 0, AGENT2048_RIGHT = 1, AGENT2048_DOWN = 2, AGENT2048_LEFT = 3 };

/* Return values of the plugin's functions. */
enum { AGENT2048_OK = 0, AGENT2048_ERROR = 1, AGENT2048_UNKNOWN = 2 };

/* The clocks that can limit a turn. */
enum { AGENT2048_NO_CLOCK = 0, AGENT2048_CPU_CLOCK = 1, AGENT2048_WALL_CLOCK = 2 };

/* A board. Cell (row, column) is cells[row * side + column]. */
typedef struct agent2048_board {
    uint8_t side;        /* cells per row, 2 to 8 */
    uint8_t reserved[7];
    uint8_t cells[64];   /* exponents: 0 empty, 1 the tile 2, 2 the tile 4, ...; 17 is 131072 */
} agent2048_board;

/* One decision, and what the agent may spend on it. */
typedef struct agent2048_turn {
    uint64_t move_number;     /* of the move to be chosen, from 1 */
    uint64_t score;           /* so far */
    uint64_t nodes;           /* node budget (one node: one slide of a board); 0: not limited */
    uint32_t clock;           /* AGENT2048_NO_CLOCK: time is not limited */
    uint32_t reserved_word;
    uint64_t clock_start_ns;  /* the clock's reading at the start of the turn */
    uint64_t income_ns;       /* the increment: time for this turn without the bank */
    uint64_t bank_ns;         /* the bank: time saved on earlier turns */

    /* Since 1.1. Starts the stop flag of this turn and returns it: a word that is 0 and
     * becomes 1 when the increment is used up, except for the part that it takes to return
     * the answer. A search loop can watch it instead of reading the clock. Call it once per
     * turn, which takes about a microsecond. NULL without a time limit, inside the host
     * (`isolation: none`) and with older hosts: read the clock then.
     * [thread] that of `choose`. [state] while `choose` runs. [lifetime] the flag until the
     * process ends; the host clears it before every turn. */
    const volatile uint32_t *(*stop_flag)(void);

    /* Since 1.2. Notes on this answer in the agent's own words: numbers by name, and a text.
     * They are kept and shown, and do not affect the game. A later call replaces the number
     * of that name, or the text. Left out: what is not finite, names beyond the first 8 of an
     * answer, empty names and those longer than 24 characters, texts longer than 160. Both
     * are NULL if the host does not want notes, and with older hosts.
     * [thread] that of `choose`. [state] while `choose` runs. [lifetime] `name` and `text`
     * are not kept. */
    void (*note_number)(const char *name, double value);
    void (*note_text)(const char *text);
    uint64_t reserved[2];
} agent2048_turn;

/* The answer. The host clears it before the call: direction 255, values NaN. */
typedef struct agent2048_choice {
    uint8_t direction;
    uint8_t reserved_bytes[3];
    uint32_t depth;      /* moves looked ahead; 0: not reported */
    uint64_t nodes;      /* nodes searched; 0: not reported */
    double values[4];    /* the value of each direction; NaN: not reported */
    uint64_t reserved[4];
} agent2048_choice;

/* Functions that the host provides to an agent. `create` receives it; it stays valid
 * until the process ends, so keep the pointer. */
typedef struct agent2048_host {
    uint32_t size;
    uint32_t minor;      /* the host's minor version */

    /* Prints a line to stderr, which the host keeps.
     * [thread] any. [state] from the start of `create`. [lifetime] `text` is not
     * kept. */
    void (*log)(const char *text);

    /* Slides a board by the rules of the game. Returns 1 and fills `after` and
     * `gain` if the move is legal, 0 if it changes nothing or `before` is not a valid
     * board. `after` (without the new tile) and `gain` (the score of the move) may be
     * NULL; `after` may be `before`.
     * [thread] any. [state] from the start of `create`. [lifetime] nothing is
     * kept. */
    int (*slide)(const agent2048_board *before, int direction, agent2048_board *after,
                 uint64_t *gain);

    /* Reads a clock of a turn. A turn's increment is spent when
     * clock_ns(turn->clock) - turn->clock_start_ns >= turn->income_ns. A reading
     * takes up to a microsecond, so do not read it at every node.
     * [thread] any; the CPU clock counts all threads of the process. [state] from the
     * start of `create`. [lifetime] there are no pointers. */
    uint64_t (*clock_ns)(uint32_t clock);

    /* Looks up a key at the top level of a JSON object. Each returns 1 and fills
     * `value` if the key exists with a value of that type, and 0 otherwise. Also
     * returns 0 if a string and its zero byte do not fit into `value_size` bytes.
     * [thread] any. [state] from the start of `create`. [lifetime] nothing is
     * kept; `value` belongs to the caller. */
    int (*json_integer)(const char *json, const char *key, int64_t *value);
    int (*json_number)(const char *json, const char *key, double *value);
    int (*json_text)(const char *json, const char *key, char *value, size_t value_size);

    /* The agent's random seed, from the setup; all 64 bits matter. 0 if `setup` is
     * not a valid setup.
     * [thread] any. [state] from the start of `create`. [lifetime] `setup` is not
     * kept. */
    uint64_t (*random_seed)(const char *setup);
} agent2048_host;

/* Where an extension sends its messages.
 * [lifetime] valid until `extension` returns. */
typedef struct agent2048_sink {
    uint32_t size;
    uint32_t reserved;
    void *context;       /* to be passed back */
    /* Sends a message. Returns 0 to continue; anything else means stop soon.
     * [thread] that of `extension`. [state] while `extension` runs. [lifetime] `json`
     * is not kept. */
    int (*send)(void *context, const char *json);
    /* Gives the answer, once, before returning AGENT2048_OK.
     * [thread] that of `extension`. [state] while `extension` runs. [lifetime] `json`
     * is not kept. */
    void (*answer)(void *context, const char *json);
} agent2048_sink;

/* The object that a plugin exports. */
typedef struct agent2048_entry_v1 {
    uint32_t size;       /* sizeof(agent2048_entry_v1) */
    uint32_t major;      /* AGENT2048_MAJOR */
    uint32_t minor;      /* AGENT2048_MINOR */
    uint32_t reserved;

    /* JSON: {"name": "...", "version": "...", "author": "...", "description": "...",
     * "boards": {"min": 2, "max": 8}, "honours": ["time", "nodes"],
     * "params": a JSON Schema of the parameters, "extensions": ["solve/1"],
     * "files": ["NAME.weights"], files beside the plugin that its agents read}.
     * Only the name is required; a plugin without "params" has no parameters.
     * [lifetime] valid while the library is loaded, which is until the process ends. */
    const char *info;

    /* Creates an agent for one game. `params` is a JSON object with the parameters of
     * the tournament file; `setup` one with the game: board, four, tiles, goal,
     * max_moves, clock, per_move_ns, bank_ns, nodes, random_seed, folder (of the
     * plugin's files; those not set are null). Returns NULL to reject the game, with a message in `error`.
     * [thread] the one that will call `choose`. [state] any; another agent may exist.
     * [lifetime] `params`, `setup` and `error` until it returns: copy what you need;
     * `host` until the process ends; the returned object belongs to the plugin until
     * `destroy`. */
    void *(*create)(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size);

    /* Destroys an agent. May be NULL. A tournament may end the process instead, so do
     * not rely on this call.
     * [thread] that of `create`. [state] after the last `choose`, once. [lifetime]
     * `agent` ends here. */
    void (*destroy)(void *agent);

    /* Chooses a move for a board with at least one legal move. Returns AGENT2048_OK;
     * anything else ends the game, as does a direction that changes nothing.
     * [thread] that of `create`, always the same. [state] between `create` and
     * `destroy`, never two calls to one agent at once. In a game, each board follows
     * from the previous one; an analysis may ask for any board. [lifetime] `board`,
     * `turn` and `choice` until it returns. */
    int (*choose)(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice);

    /* Answers a request to the extension of this name; AGENT2048_UNKNOWN if there
     * is none. May be NULL.
     * [thread] any single one. [state] any; no agent need exist. [lifetime] `name`,
     * `request`, `sink` and `error` until it returns. */
    int (*extension)(const char *name, const char *request, const agent2048_sink *sink,
                     char *error, size_t error_size);

    /* Fields of version 1.1 and later go below this line. */
} agent2048_entry_v1;

extern AGENT2048_EXPORT const agent2048_entry_v1 agent2048_entry;

#ifdef __cplusplus
}
#endif

#endif
