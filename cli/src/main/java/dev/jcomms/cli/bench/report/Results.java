package dev.jcomms.cli.bench.report;

import dev.jcomms.cli.bench.measure.Measurement;
import dev.jcomms.cli.bench.measure.Message;
import dev.jcomms.cli.bench.measure.Plan;
import dev.jcomms.cli.bench.measure.Timing;
import dev.jcomms.cli.bench.op.Form;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Collects what ours and the peers measured of one operation, in any number of rounds. Any thread
 * may call it.
 */
public final class Results {
  /** The name of ours among the peers'. */
  public static final String OURS = "jcomms";

  private record Key(String library, long bytes, Form form) {}

  private final Plan plan;
  private final int rounds;
  private final Map<Key, List<Measurement>> measured = new LinkedHashMap<>();
  private final Set<String> peers = new LinkedHashSet<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private Message.Started started = new Message.Started(0, "", "", "none");

  public Results(Plan plan, int rounds) {
    this.plan = plan;
    this.rounds = rounds;
  }

  /** Takes what a library said. */
  public synchronized void add(String library, Message message) {
    switch (message) {
      case Message.Started begin -> {
        if (library.equals(OURS)) started = begin;
      }
      case Message.Note(String text) -> note(library.equals(OURS) ? text : library + ": " + text);
      case Message.Measured(Measurement one) -> {
        if (!library.equals(OURS)) peers.add(library);
        measured
            .computeIfAbsent(new Key(library, one.bytes(), one.form()), _ -> new ArrayList<>())
            .add(one);
      }
    }
  }

  public synchronized void note(String text) {
    notes.add(text);
  }

  /** How the ranks began; before they did, a world of 0. */
  public synchronized Message.Started started() {
    return started;
  }

  /** All of it: of several rounds, the medians. */
  public synchronized Section section() {
    Set<Long> sizes = new TreeSet<>();
    for (Key key : measured.keySet()) {
      if (key.library().equals(OURS)) sizes.add(key.bytes());
    }
    return new Section(
        plan,
        started.ranks(),
        started.library(),
        started.transport(),
        started.limit(),
        rounds,
        List.copyOf(peers),
        sizes.stream().map(this::row).toList(),
        List.copyOf(notes));
  }

  /** One size, as far as it is measured. */
  public synchronized Row row(long bytes) {
    List<Cell> cells = new ArrayList<>();
    long count = 0;
    for (Form form : plan.op().forms()) {
      List<Measurement> ours = measured.get(new Key(OURS, bytes, form));
      if (ours == null) continue;
      count = ours.getFirst().count();
      cells.add(cell(bytes, form, ours));
    }
    return new Row(bytes, count, cells);
  }

  private Cell cell(long bytes, Form form, List<Measurement> ours) {
    Map<String, PeerTime> others = new LinkedHashMap<>();
    for (String peer : peers) peer(peer, bytes, form).ifPresent(time -> others.put(peer, time));
    boolean checked = ours.stream().allMatch(one -> one.wrong().isPresent());
    boolean limited = ours.stream().allMatch(one -> one.limit().isPresent());
    return new Cell(
        form,
        ours.getLast().algorithm(),
        (int) Timing.median(ours, Measurement::iterations),
        (int) Timing.median(ours, Measurement::group),
        Timing.median(ours.stream().map(Measurement::time).toList()),
        checked
            ? OptionalLong.of(ours.stream().mapToLong(one -> one.wrong().getAsLong()).sum())
            : OptionalLong.empty(),
        limited
            ? OptionalDouble.of(Timing.median(ours, one -> one.limit().getAsDouble()))
            : OptionalDouble.empty(),
        others);
  }

  /** The peer's time for the form, or for the one form that it has. */
  private Optional<PeerTime> peer(String peer, long bytes, Form form) {
    Form other = form == Form.IN_PLACE ? Form.OUT_OF_PLACE : Form.IN_PLACE;
    for (Form one : List.of(form, other)) {
      List<Measurement> theirs = measured.get(new Key(peer, bytes, one));
      if (theirs == null) continue;
      return Optional.of(
          new PeerTime(
              Timing.median(theirs.stream().map(Measurement::time).toList()),
              (int) Timing.median(theirs, Measurement::iterations),
              one));
    }
    return Optional.empty();
  }
}
