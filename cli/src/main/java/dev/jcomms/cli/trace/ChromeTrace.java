package dev.jcomms.cli.trace;

import dev.jcomms.Codecs;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes Chrome's trace format, which Perfetto reads too: a process a communicator, a thread a
 * rank, a complete event an operation. Times count microseconds from the first operation of all.
 *
 * <p>Slices of one thread may not overlap; where a rank had operations at once, the later ones go
 * to further threads of that rank.
 */
final class ChromeTrace {
  private final OutputStream out;
  private final long startNs;
  private String separator = "\n";
  private long events;

  private ChromeTrace(OutputStream out, long startNs) {
    this.out = out;
    this.startNs = startNs;
  }

  /** Writes the file; returns how many operations it shows. */
  static long write(List<Group> groups, Path file) throws IOException {
    long start =
        groups.stream()
            .flatMap(group -> group.dumps().values().stream())
            .flatMap(dump -> dump.entries().stream())
            .mapToLong(Dump.Entry::createdNs)
            .min()
            .orElse(0);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      ChromeTrace trace = new ChromeTrace(out, start);
      trace.text("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"start_ns\":\"" + start + "\"},");
      trace.text("\"traceEvents\":[");
      for (Group group : groups) trace.group(group);
      trace.text("\n]}\n");
      return trace.events;
    }
  }

  private void group(Group group) throws IOException {
    name("process_name", group.id(), 0, "comm " + group.comm() + " (" + group.backend() + ")");
    for (Dump dump : group.dumps().values()) {
      List<Long> lanes = new ArrayList<>(); // when the last slice of each thread ends
      for (Dump.Entry entry : dump.entries()) {
        long from = entry.startedNs() >= 0 ? entry.startedNs() : entry.createdNs();
        long to = Math.max(from, entry.endedNs() >= 0 ? entry.endedNs() : dump.dumpedNs());
        int lane = 0;
        while (lane < lanes.size() && lanes.get(lane) > from) lane++;
        int thread = dump.rank() + lane * group.size();
        if (lane == lanes.size()) {
          lanes.add(to);
          name("thread_name", group.id(), thread, "rank " + dump.rank());
        } else {
          lanes.set(lane, to);
        }
        slice(group.id(), thread, entry, from, to);
      }
    }
  }

  private void slice(int process, int thread, Dump.Entry entry, long from, long to)
      throws IOException {
    Map<String, Object> args = new LinkedHashMap<>();
    args.put("number", entry.number());
    args.put("bytes", entry.bytes());
    args.put("dtype", entry.dtype());
    args.put("state", entry.state());
    args.put("waited_us", micros(from - entry.createdNs()));
    if (!entry.failure().isEmpty()) args.put("failure", entry.failure());
    Map<String, Object> event = event("X", entry.op(), process, thread, args);
    event.put("cat", entry.state());
    event.put("ts", micros(from - startNs));
    event.put("dur", micros(to - from));
    line(event);
    events++;
  }

  private void name(String kind, int process, int thread, String name) throws IOException {
    line(event("M", kind, process, thread, Map.of("name", name)));
  }

  private static Map<String, Object> event(
      String phase, String name, int process, int thread, Map<String, Object> args) {
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("ph", phase);
    event.put("name", name);
    event.put("pid", process);
    event.put("tid", thread);
    event.put("args", args);
    return event;
  }

  private static double micros(long nanos) {
    return nanos / 1e3;
  }

  private void line(Map<String, Object> event) throws IOException {
    text(separator);
    separator = ",\n";
    out.write(Codecs.JSON.encode(event));
  }

  private void text(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
