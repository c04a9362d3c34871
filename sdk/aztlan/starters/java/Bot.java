import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A bot that grows: it places pawns next to its own, and takes land where nobody else stands.
 *
 * <p>It speaks JSON lines: one message per line on stdin, one answer per line on stdout; stderr is its log. Change
 * {@code choose}. Json.java, beside this file, reads messages with nothing but Java's own library.
 */
public final class Bot {
    private static final int BLESSING = 16; // and 17, 18
    private static final int PLACE = 64;
    private static final int BATTLE = 192;
    private static final int COEXIST = 256;

    private final Random random = new Random();
    private int seat;
    private int[][] neighbours;

    private void start(Json message) {
        seat = message.get("seat").number();
        List<Json> lists = message.get("board").get("neighbours").items();
        neighbours = new int[lists.size()][];
        for (int t = 0; t < neighbours.length; t++) {
            neighbours[t] = lists.get(t).numbers();
        }
    }

    private int choose(Json seen, int[] legal) {
        if (legal[0] >= PLACE && legal[0] < PLACE + neighbours.length) {
            return PLACE + pick(wanted(seen));
        }
        for (int action : legal) {
            boolean fights = action >= BATTLE && action < COEXIST;
            boolean blesses = action >= BLESSING && action < BLESSING + 3;
            if (fights || blesses) {
                return action;
            }
        }
        return legal[0]; // where passing is allowed it comes first
    }

    /** Empty territories next to our own; else any empty ones; else all. */
    private List<Integer> wanted(Json seen) {
        int[] pawns = seen.get("pawns").numbers();
        int side = seen.get("side_of").numbers()[seat];
        int sides = seen.get("seats").number();
        int size = neighbours.length;
        List<Integer> near = new ArrayList<>();
        List<Integer> empty = new ArrayList<>();
        List<Integer> all = new ArrayList<>();
        for (int t = 0; t < size; t++) {
            all.add(t);
            boolean taken = false;
            for (int s = 0; s < sides; s++) {
                taken |= pawns[s * size + t] > 0;
            }
            if (taken) {
                continue;
            }
            empty.add(t);
            for (int other : neighbours[t]) {
                if (pawns[side * size + other] > 0) {
                    near.add(t);
                    break;
                }
            }
        }
        return !near.isEmpty() ? near : !empty.isEmpty() ? empty : all;
    }

    private int pick(List<Integer> list) {
        return list.get(random.nextInt(list.size()));
    }

    public static void main(String[] arguments) throws IOException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8); // println flushes
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        out.println("{\"type\":\"hello\",\"name\":\"my-bot\"}");
        Bot bot = new Bot();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Json message = Json.parse(line);
            switch (message.get("type").text()) {
                case "match_start" -> bot.start(message);
                case "decision_request" -> {
                    int action = bot.choose(message.get("observation"), message.get("legal_actions").numbers());
                    int id = message.get("request_id").number();
                    out.println("{\"type\":\"decision\",\"request_id\":" + id + ",\"action\":" + action + "}");
                }
                case "strike" -> System.err.println("strike: " + message.get("reason").text());
                case "game_over" -> {
                    return;
                }
                default -> { }
            }
        }
    }
}
