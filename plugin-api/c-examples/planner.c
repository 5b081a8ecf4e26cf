/* planner: an agent in C that uses the whole contract: parameters, time and node
 * budgets, reported values, notes, an extension.
 *
 * It searches for the sequence of moves with the highest score, as if no new tiles
 * appeared, one move deeper each time until its budget is spent.
 *
 *     cc -std=c11 -O2 -Wall -Wextra -pedantic -shared -fPIC -I plugin-api/include \
 *         plugin-api/c-examples/planner.c -o libplanner.so
 */
#include "agent2048.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 12, LOOK_AT_CLOCK_EVERY = 16 };

struct planner {
    const agent2048_host *host;
    int64_t depth; /* moves to look ahead without a budget */
    int64_t empty; /* the value of an empty cell, in points */
};

/* The state of one decision. */
struct search {
    const struct planner *planner;
    const agent2048_turn *turn;
    uint64_t nodes;
    int is_spent;
};

/* Counts a node, which is one slide of a board; 0 if the budget is spent. */
static int spend(struct search *search) {
    const agent2048_turn *turn = search->turn;
    if (turn->nodes != 0 && search->nodes >= turn->nodes) {
        search->is_spent = 1;
    }
    if (turn->clock != AGENT2048_NO_CLOCK && search->nodes % LOOK_AT_CLOCK_EVERY == 0) {
        uint64_t used = search->planner->host->clock_ns(turn->clock) - turn->clock_start_ns;
        if (used >= turn->income_ns / 10 * 9) {
            search->is_spent = 1;
        }
    }
    if (search->is_spent) {
        return 0;
    }
    search->nodes++;
    return 1;
}

static double worth(const struct planner *planner, const agent2048_board *board) {
    int n_empty = 0;
    for (int cell = 0; cell < board->side * board->side; cell++) {
        n_empty += board->cells[cell] == 0;
    }
    return (double)planner->empty * n_empty;
}

/* The best score that this many more moves can reach. */
static double best_plan(struct search *search, const agent2048_board *board, int64_t depth) {
    double best = worth(search->planner, board);
    for (int direction = 0; depth > 0 && direction < 4; direction++) {
        agent2048_board after;
        uint64_t gain;
        if (!spend(search)) {
            break;
        }
        if (search->planner->host->slide(board, direction, &after, &gain)) {
            double value = (double)gain + best_plan(search, &after, depth - 1);
            best = value > best ? value : best;
        }
    }
    return best;
}

static int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
                  agent2048_choice *choice) {
    struct search search = {agent, turn, 0, 0};
    const agent2048_host *host = search.planner->host;
    int is_limited = turn->clock != AGENT2048_NO_CLOCK || turn->nodes != 0;
    int64_t deepest = is_limited ? DEEPEST : search.planner->depth;
    /* The first legal move is the answer if nothing can be searched. */
    for (int direction = 3; direction >= 0; direction--) {
        if (host->slide(board, direction, NULL, NULL)) {
            choice->direction = (uint8_t)direction;
        }
    }
    double planned = 0;
    for (int64_t depth = 1; depth <= deepest && !search.is_spent; depth++) {
        agent2048_choice deeper = *choice;
        double best = -1;
        for (int direction = 0; direction < 4; direction++) {
            agent2048_board after;
            uint64_t gain;
            if (spend(&search) && host->slide(board, direction, &after, &gain)) {
                double value = (double)gain + best_plan(&search, &after, depth - 1);
                deeper.values[direction] = value;
                if (value > best) {
                    best = value;
                    deeper.direction = (uint8_t)direction;
                }
            }
        }
        if (!search.is_spent) {
            deeper.depth = (uint32_t)depth;
            *choice = deeper; /* only completed searches count */
            planned = best;
        }
    }
    choice->nodes = search.nodes;
    /* Notes in words of its own, if the host is of version 1.2 and wants them. */
    if (turn->note_number != NULL) {
        turn->note_number("planned score", planned);
        turn->note_text(search.is_spent ? "the last search was cut short" : "searched to the end");
    }
    return AGENT2048_OK;
}

static void *create(const agent2048_host *host, const char *params, const char *setup,
                    char *error, size_t error_size) {
    struct planner *planner = malloc(sizeof *planner);
    (void)setup;
    if (planner == NULL) {
        snprintf(error, error_size, "there is no memory left");
        return NULL;
    }
    planner->host = host;
    planner->depth = 4;
    planner->empty = 20;
    /* Unset keys keep their defaults; the host has checked the others against the schema. */
    host->json_integer(params, "depth", &planner->depth);
    host->json_integer(params, "empty", &planner->empty);
    return planner;
}

/* `defaults/1`: an extension is something that a plugin can do besides playing. */
static int extension(const char *name, const char *request, const agent2048_sink *sink,
                     char *error, size_t error_size) {
    (void)request, (void)error, (void)error_size;
    if (strcmp(name, "defaults/1") != 0) {
        return AGENT2048_UNKNOWN;
    }
    if (sink->send(sink->context, "{\"progress\": 0.5}") == 0) {
        sink->send(sink->context, "{\"progress\": 1.0}");
    }
    sink->answer(sink->context, "{\"depth\": 4, \"empty\": 20}");
    return AGENT2048_OK;
}

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"planner\", \"version\": \"1.0.0\", \"author\": \"The Arena 2048 developers\","
    " \"description\": \"plans moves as if no new tiles came\","
    " \"honours\": [\"time\", \"nodes\"], \"extensions\": [\"defaults/1\"],"
    " \"params\": {\"type\": \"object\", \"properties\": {"
    "  \"depth\": {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 8, \"default\": 4,"
    "   \"description\": \"moves to look ahead when there is no budget\"},"
    "  \"empty\": {\"type\": \"integer\", \"minimum\": 0, \"default\": 20,"
    "   \"description\": \"what an empty cell is worth, in points\"}}}}",
    create, free, choose, extension,
};
