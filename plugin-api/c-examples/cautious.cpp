// cautious: an agent in C++ that uses the whole contract. For every move it computes the
// mean over the cells in which the new tile may appear, assuming the best answer to it.
//
//     c++ -std=c++17 -O2 -shared -fPIC -I plugin-api/include
//         plugin-api/c-examples/cautious.cpp -o libcautious.so
//
// No exception may leave a function that the host calls: it would end the process and
// the game. Therefore each function catches what its body throws and returns an error.
#include "agent2048.h"

#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace {

struct Slide {
    agent2048_board board;
    double gain;
};

/// The budget of one move; one node is one slide of a board.
class Budget {
public:
    Budget(const agent2048_host &host, const agent2048_turn &turn) : host(host), turn(turn) {}

    bool spend() {
        const bool no_nodes = turn.nodes != 0 && n_nodes >= turn.nodes;
        is_spent = is_spent || no_nodes || (n_nodes % 16 == 0 && no_time());
        n_nodes += is_spent ? 0 : 1;
        return !is_spent;
    }

    std::uint64_t nodes() const { return n_nodes; }

private:
    bool no_time() const {
        return turn.clock != AGENT2048_NO_CLOCK &&
               host.clock_ns(turn.clock) - turn.clock_start_ns >= turn.income_ns / 10 * 9;
    }

    const agent2048_host &host;
    const agent2048_turn &turn;
    std::uint64_t n_nodes = 0;
    bool is_spent = false;
};

class Cautious {
public:
    Cautious(const agent2048_host &host, const char *params) : host(host) {
        host.json_number(params, "empty", &empty);
    }

    void choose(const agent2048_board &board, const agent2048_turn &turn,
                agent2048_choice &choice) const {
        Budget budget(host, turn);
        double best = 0;
        for (int direction = 0; direction < 4; ++direction) {
            const std::optional<Slide> slide = slid(board, direction);
            if (!slide) {
                continue;
            }
            budget.spend();
            const double value = slide->gain + mean_answer(slide->board, budget);
            choice.values[direction] = value;
            if (choice.direction > 3 || value > best) {
                best = value;
                choice.direction = static_cast<std::uint8_t>(direction);
            }
        }
        choice.depth = 2;
        choice.nodes = budget.nodes();
    }

private:
    std::optional<Slide> slid(const agent2048_board &board, int direction) const {
        Slide slide{};
        std::uint64_t gain = 0;
        if (!host.slide(&board, direction, &slide.board, &gain)) {
            return std::nullopt;
        }
        slide.gain = static_cast<double>(gain);
        return slide;
    }

    /// The mean over the new tile of the best answer to it, as far as the budget allows.
    double mean_answer(const agent2048_board &board, Budget &budget) const {
        double sum = 0;
        int n_tried = 0;
        for (const int cell : empty_cells(board)) {
            agent2048_board with_tile = board;
            with_tile.cells[cell] = 1;
            double best = 0;
            for (int direction = 0; direction < 4; ++direction) {
                if (!budget.spend()) {
                    return n_tried > 0 ? sum / n_tried : worth(board);
                }
                if (const std::optional<Slide> slide = slid(with_tile, direction)) {
                    const double value = slide->gain + worth(slide->board);
                    best = value > best ? value : best;
                }
            }
            sum += best;
            ++n_tried;
        }
        return n_tried > 0 ? sum / n_tried : worth(board);
    }

    double worth(const agent2048_board &board) const {
        return empty * static_cast<double>(empty_cells(board).size());
    }

    static std::vector<int> empty_cells(const agent2048_board &board) {
        std::vector<int> cells;
        for (int cell = 0; cell < board.side * board.side; ++cell) {
            if (board.cells[cell] == 0) {
                cells.push_back(cell);
            }
        }
        return cells;
    }

    const agent2048_host &host;
    double empty = 20.0;
};

void *create(const agent2048_host *host, const char *params, const char *, char *error,
             size_t error_size) {
    try {
        return new Cautious(*host, params);
    } catch (const std::exception &problem) {
        std::snprintf(error, error_size, "%s", problem.what());
        return nullptr;
    }
}

void destroy(void *agent) { delete static_cast<Cautious *>(agent); }

int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
           agent2048_choice *choice) {
    try {
        static_cast<const Cautious *>(agent)->choose(*board, *turn, *choice);
        return AGENT2048_OK;
    } catch (const std::exception &problem) {
        std::fprintf(stderr, "%s\n", problem.what());
        return AGENT2048_ERROR;
    }
}

int extension(const char *name, const char *, const agent2048_sink *sink, char *, size_t) {
    if (std::string(name) != "defaults/1") {
        return AGENT2048_UNKNOWN;
    }
    sink->answer(sink->context, "{\"empty\": 20.0}");
    return AGENT2048_OK;
}

}  // namespace

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    R"({"name": "cautious", "version": "1.0.0", "author": "The Arena 2048 developers",
        "description": "counts on its best answer to the mean new tile",
        "honours": ["time", "nodes"], "extensions": ["defaults/1"],
        "params": {"type": "object", "properties": {"empty": {"type": "number", "minimum": 0,
            "default": 20.0, "description": "what an empty cell is worth, in points"}}}})",
    create, destroy, choose, extension,
};
