package dev.jcomms.cli.launch;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The last lines of a stream, for the report of a failure. Any thread may use it. */
final class Tail {
  private static final int LINES = 200;
  private static final int SHOWN = 30;
  private static final int WIDTH = 2000;

  private final Deque<String> lines = new ArrayDeque<>();

  synchronized void add(byte[] bytes, int from, int to) {
    int length = Math.min(to - from, WIDTH);
    lines.add(new String(bytes, from, length, StandardCharsets.UTF_8));
    if (lines.size() > LINES) lines.remove();
  }

  /**
   * What most likely tells why the program ended: from its last uncaught exception on, or the last
   * lines there are.
   */
  synchronized List<String> reason() {
    List<String> all = new ArrayList<>(lines);
    int start = Math.max(0, all.size() - SHOWN);
    for (int i = all.size() - 1; i >= 0; i--) {
      String line = all.get(i);
      if (line.startsWith("Exception in thread ") || line.startsWith("Traceback (")) {
        start = i;
        break;
      }
    }
    List<String> shown = all.subList(start, Math.min(all.size(), start + SHOWN));
    if (start + SHOWN >= all.size()) return List.copyOf(shown);
    List<String> cut = new ArrayList<>(shown);
    cut.add("… %d more lines".formatted(all.size() - start - SHOWN));
    return cut;
  }
}
