import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Plays the first legal move and, on request, throws on move 3. */
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
                what = line.contains("\"what\":\"raise\"") ? "raise" : line.contains("\"what\":\"think\"") ? "think" : "";
                if (line.contains("\"what\":\"threads\"")) {
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

    private String choose(String turn) {
        if (what.equals("raise") && turn.contains("\"move\":3,")) {
            throw new IllegalStateException("thrown on purpose");
        }
        while (what.equals("think") && cpuTime() - start < number(turn, "time_us") * 800) {
            Thread.onSpinWait();
        }
        int legal = turn.indexOf("\"legal\":[\"") + 10;
        return turn.substring(legal, turn.indexOf('"', legal));
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
