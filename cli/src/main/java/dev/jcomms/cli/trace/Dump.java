package dev.jcomms.cli.trace;

import dev.jcomms.Codecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One rank's flight record of one communicator, read from a file that may hold anything.
 *
 * @param ranks of the communicator, as ranks of the first one it was split from
 * @param dumpedNs when it was written: what had not ended by then was pending
 */
record Dump(
    Path file,
    String comm,
    int rank,
    int size,
    List<Long> ranks,
    String backend,
    long dumpedNs,
    List<Entry> entries) {
  private static final String VERSION = "jcomms-1";

  /** A larger number is a mistake, and would cost memory for every rank it claims. */
  private static final long MOST_RANKS = 1 << 20;

  private static final Set<String> BETWEEN_TWO = Set.of("send", "recv", "send_recv_batch");

  /**
   * One operation. Times are nanoseconds since 1970, -1 where there is none.
   *
   * @param state scheduled, started, completed or failed
   * @param dtype empty without tensors, failure empty without one
   */
  record Entry(
      long number,
      String op,
      long bytes,
      String dtype,
      String state,
      long createdNs,
      long startedNs,
      long endedNs,
      String failure) {

    boolean completed() {
      return state.equals("completed");
    }

    /** Whether all ranks of the communicator take part. */
    boolean collective() {
      return !BETWEEN_TWO.contains(op);
    }

    /** {@code all_reduce #41}. */
    String name() {
      return op + " #" + number;
    }
  }

  /**
   * Reads a record.
   *
   * @throws IllegalArgumentException that says what is wrong with it, and where
   */
  static Dump read(Path file) throws IOException {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new IOException("no such file", e);
    }
    Fields fields = new Fields("", Codecs.JSON.decode(bytes));
    if (!fields.text("version").equals(VERSION)) {
      throw new IllegalArgumentException(
          "version=" + fields.text("version") + " is not " + VERSION + ": no flight record");
    }
    int size = Math.toIntExact(fields.number("size", 1, MOST_RANKS));
    List<Entry> entries = new ArrayList<>();
    for (Object item : fields.list("entries")) {
      entries.add(entry(new Fields("entries[" + entries.size() + "].", item)));
    }
    List<Long> ranks = new ArrayList<>();
    for (Object rank : fields.list("ranks")) {
      if (rank instanceof Long number) ranks.add(number);
    }
    return new Dump(
        file,
        fields.text("comm"),
        Math.toIntExact(fields.number("rank", 0, size - 1)),
        size,
        ranks,
        fields.text("backend"),
        fields.number("dumped_ns", 0, Long.MAX_VALUE),
        entries);
  }

  private static Entry entry(Fields fields) {
    return new Entry(
        fields.number("number", 0, Long.MAX_VALUE),
        fields.text("op"),
        fields.number("bytes", 0, Long.MAX_VALUE),
        fields.textOrEmpty("dtype"),
        fields.text("state"),
        fields.number("created_ns", 0, Long.MAX_VALUE),
        fields.timeOrNone("started_ns"),
        fields.timeOrNone("ended_ns"),
        fields.textOrEmpty("failure"));
  }

  /** The fields of a JSON object, each checked as it is asked for. */
  private static final class Fields {
    private final String path;
    private final Map<?, ?> map;

    Fields(String path, Object json) {
      this.path = path;
      if (!(json instanceof Map<?, ?> object)) {
        throw new IllegalArgumentException(
            (path.isEmpty() ? "the document" : path) + " is not a JSON object");
      }
      this.map = object;
    }

    String text(String name) {
      if (map.get(name) instanceof String text) return text;
      throw wrong(name, "text");
    }

    String textOrEmpty(String name) {
      return map.get(name) == null ? "" : text(name);
    }

    long number(String name, long least, long most) {
      if (map.get(name) instanceof Long number && number >= least && number <= most) return number;
      throw wrong(
          name, "a whole number from " + least + (most == Long.MAX_VALUE ? "" : " to " + most));
    }

    long timeOrNone(String name) {
      return map.get(name) == null ? -1 : number(name, 0, Long.MAX_VALUE);
    }

    List<?> list(String name) {
      if (map.get(name) instanceof List<?> list) return list;
      throw wrong(name, "a list");
    }

    private IllegalArgumentException wrong(String name, String wanted) {
      String found =
          map.containsKey(name) ? path + name + "=" + map.get(name) : "no " + path + name;
      return new IllegalArgumentException(found + "; a flight record has " + wanted + " there");
    }
  }
}
