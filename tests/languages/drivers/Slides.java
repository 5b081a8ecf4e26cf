import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Slides every board of boards.txt by the rules of the kit. */
final class Slides {
    public static void main(String[] arguments) throws Exception {
        List<String> slides = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("boards.txt"))) {
            long[] tiles = Stream.of(line.split(" ")).mapToLong(Long::parseLong).toArray();
            int side = (int) Math.round(Math.sqrt(tiles.length));
            long[][] board = new long[side][side];
            for (int cell = 0; cell < tiles.length; cell++) {
                board[cell / side][cell % side] = tiles[cell];
            }
            for (Direction direction : Direction.values()) {
                Rules.Slide slid = Rules.slide(board, direction);
                if ((slid != null) != Rules.legalMoves(board).contains(direction)) {
                    throw new AssertionError(line);
                }
                StringBuilder text = new StringBuilder(slid == null ? "-" : "" + slid.gain());
                for (long[] row : slid == null ? new long[0][] : slid.board()) {
                    for (long tile : row) {
                        text.append(' ').append(tile);
                    }
                }
                slides.add(text.toString());
            }
        }
        Files.write(Path.of("slides.txt"), slides);
    }
}
