// Slides every board of boards.txt by the rules of the kit.
#include "rules.hpp"

#include <fstream>
#include <sstream>
#include <string>

int main() {
    std::ifstream boards("boards.txt");
    std::ofstream slides("slides.txt");
    for (std::string text; std::getline(boards, text);) {
        std::istringstream words(text);
        Line tiles;
        for (std::int64_t tile; words >> tile;) {
            tiles.push_back(tile);
        }
        std::size_t side = 2;
        while (side * side < tiles.size()) {
            ++side;
        }
        Board board(side, Line(side));
        for (std::size_t cell = 0; cell < tiles.size(); ++cell) {
            board[cell / side][cell % side] = tiles[cell];
        }
        const std::vector<Direction> legal = legal_moves(board);
        for (Direction direction : {Direction::up, Direction::right, Direction::down, Direction::left}) {
            const std::optional<Slide> slid = slide(board, direction);
            const bool is_legal = std::find(legal.begin(), legal.end(), direction) != legal.end();
            if (slid.has_value() != is_legal) {
                return 1;
            }
            if (!slid) {
                slides << "-\n";
                continue;
            }
            slides << slid->gain;
            for (const Line &row : slid->board) {
                for (std::int64_t tile : row) {
                    slides << ' ' << tile;
                }
            }
            slides << '\n';
        }
    }
}
