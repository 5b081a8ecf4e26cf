import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;

/** Plays the first legal move and, on request, misbehaves on move 3. */
public class Plays {
    private final com.sun.management.OperatingSystemMXBean system =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private String what = "";
    private long start;
    private long others;

    public static void main(String[] arguments) throws Exception {
        new Plays().play();
    }

    private void play() throws Exception {
        var input = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = input.readLine()) != null;) {
            if (line.startsWith("arena ")) {
                System.out.println("agent {\"name\":\"plays\",\"version\":\"1.0.0\",\"honours\":[\"time\"],\"params\":{\"type\":\"object\","
                        + "\"properties\":{\"what\":{\"type\":\"string\",\"default\":\"\",\"description\":\"what it does wrong\"}}}}");
            } else if (line.startsWith("new ")) {
                int at = line.indexOf("\"what\":\"") + 8;
                what = at < 8 ? "" : line.substring(at, line.indexOf('"', at));
                if (what.equals("threads")) {
                    startThreads();
                }
                System.out.println("ready");
                start = cpuTime();
            } else if (line.startsWith("turn ")) {
                System.out.println("move " + choose(line));
                start = cpuTime();
            } else {
                return;
            }
        }
    }

    private String choose(String turn) throws Exception {
        if (turn.contains("\"move\":3,")) {
            misbehave();
        }
        while (what.equals("think") && cpuTime() - start < number(turn, "time_us") * 800) {
            Thread.onSpinWait();
        }
        int legal = turn.indexOf("\"legal\":[\"") + 10;
        return turn.substring(legal, turn.indexOf('"', legal));
    }

    private void misbehave() throws Exception {
        switch (what) {
            case "raise" -> throw new IllegalStateException("thrown on purpose");
            case "fork" -> new ProcessBuilder("/bin/true").start();
            case "write" -> Files.writeString(Path.of("/dev/shm/written"), "x");
            case "connect" -> new Socket("127.0.0.1", 9);
            case "read-rival" -> Files.readString(Path.of("rival.py"));
            default -> { }
        }
    }

    /** Starts threads until the machine refuses, which a JVM warns about in words of its own. */
    private static void startThreads() {
        try {
            while (true) {
                var sleeper = new Thread(() -> java.util.concurrent.locks.LockSupport.park());
                sleeper.setDaemon(true);
                sleeper.start();
            }
        } catch (OutOfMemoryError refused) {
            System.err.println(refused);
        }
    }

    /** As in the kit: the clock of the process has steps of 10 ms. */
    private long cpuTime() {
        long own = threads.getCurrentThreadCpuTime();
        others = Math.max(others, system.getProcessCpuTime() - own);
        return own + others;
    }

    private static long number(String turn, String key) {
        int at = turn.indexOf("\"" + key + "\":") + key.length() + 3;
        int end = at;
        while (Character.isDigit(turn.charAt(end))) {
            end++;
        }
        return Long.parseLong(turn.substring(at, end));
    }
}
