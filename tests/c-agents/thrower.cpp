// An agent in C++: plays the first legal move, and throws on request.
#include "agent2048.h"

#include <cstdint>
#include <stdexcept>

namespace {

struct Thrower {
    const agent2048_host *host;
    std::int64_t throw_on;
};

void *create(const agent2048_host *host, const char *params, const char *, char *, size_t) {
    Thrower *thrower = new Thrower{host, 0};
    host->json_integer(params, "throw_on", &thrower->throw_on);
    if (thrower->throw_on < 0) {
        throw std::runtime_error("thrown by create");
    }
    return thrower;
}

void destroy(void *agent) { delete static_cast<Thrower *>(agent); }

int choose(void *agent, const agent2048_board *board, const agent2048_turn *turn,
           agent2048_choice *choice) {
    const Thrower &thrower = *static_cast<Thrower *>(agent);
    if (static_cast<std::int64_t>(turn->move_number) == thrower.throw_on) {
        throw std::runtime_error("thrown on purpose");
    }
    for (std::uint8_t direction = 0; direction < 4; ++direction) {
        if (thrower.host->slide(board, direction, nullptr, nullptr)) {
            choice->direction = direction;
            choice->values[direction] = 1.0;
            return AGENT2048_OK;
        }
    }
    return AGENT2048_ERROR;
}

}  // namespace

const agent2048_entry_v1 agent2048_entry = {
    sizeof(agent2048_entry_v1), AGENT2048_MAJOR, AGENT2048_MINOR, 0,
    "{\"name\": \"thrower\", \"params\": {\"type\": \"object\", \"properties\":"
    " {\"throw_on\": {\"type\": \"integer\", \"default\": 0}}}}",
    create, destroy, choose, nullptr,
};
