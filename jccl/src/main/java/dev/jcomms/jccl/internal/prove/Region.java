package dev.jcomms.jccl.internal.prove;

import dev.jcomms.jccl.plan.Op.Form;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * A run of memory of one rank: what it holds, who wrote it and who has read it since. Every touch
 * is compared with those that it is not known to follow.
 *
 * <p>Packets lie at twice the offset of their data; values count in bytes of data.
 */
final class Region {
  /** Is told of two touches in no order. */
  @FunctionalInterface
  interface Races {
    void found(Region region, long from, long to, Form form, Conflict conflict);
  }

  /** Two touches, one of which writes. */
  record Conflict(Touch earlier, boolean earlierWrites, Touch later, boolean laterWrites) {}

  /**
   * Part of what was read or will be written.
   *
   * @param from in bytes of data from the beginning of the read or write
   * @param value counted from there too
   * @param flag the launch of the packets, 0 for data
   */
  record Piece(long from, long to, Value value, int flag) {}

  /** What a reader finds where it waits for packets. */
  enum Packets {
    THERE,
    NOT_YET,

    /** Those of a later launch: the reader's are gone. */
    GONE
  }

  private static final class Cell {
    final long from;
    long to;
    final Form form;
    final int flag;
    final Value value;
    final Touch writer;
    final List<Touch> readers;

    Cell(long from, long to, Form form, int flag, Value value, Touch writer, List<Touch> readers) {
      this.from = from;
      this.to = to;
      this.form = form;
      this.flag = flag;
      this.value = value;
      this.writer = writer;
      this.readers = readers;
    }
  }

  private final int rank;
  private final String name;
  private final Races races;
  private final Budget budget;
  private final TreeMap<Long, Cell> cells = new TreeMap<>();

  Region(int rank, String name, long bytes, Races races, Budget budget) {
    this.rank = rank;
    this.name = name;
    this.races = races;
    this.budget = budget;
    if (bytes > 0) {
      cells.put(0L, new Cell(0, bytes, Form.DATA, 0, Value.UNDEFINED, null, new ArrayList<>()));
    }
  }

  int rank() {
    return rank;
  }

  /** As {@code scratch}. */
  String name() {
    return name;
  }

  Packets packets(long from, long to, int launch) {
    Packets found = Packets.THERE;
    for (Cell cell : between(from, to)) {
      if (cell.form != Form.PACKETS || cell.flag < launch) {
        found = Packets.NOT_YET;
      } else if (cell.flag > launch) {
        return Packets.GONE;
      }
    }
    return found;
  }

  /** Waits for nothing: {@link #packets} has been asked. Whoever finds packets learns of them. */
  List<Piece> read(Touch by, long from, long to, Form form, boolean finds) {
    List<Piece> pieces = new ArrayList<>();
    int scale = scale(form);
    for (Cell cell : between(from, to)) {
      boolean packets = form == Form.PACKETS && cell.form == Form.PACKETS;
      if (cell.writer != null) {
        if (packets && finds) {
          if (!by.actor().isAfter(cell.writer)) {
            by.actor().learn(cell.writer.stamp());
          }
        } else if (packets ? !by.actor().isAfter(cell.writer) : !by.actor().sees(cell.writer)) {
          races.found(this, cell.from, cell.to, form, new Conflict(cell.writer, true, by, false));
        }
      }
      cell.readers.removeIf(reader -> reader.actor() == by.actor());
      cell.readers.add(by);
      Value value = cell.form == form ? cell.value.shifted(from / scale) : Value.UNDEFINED;
      pieces.add(new Piece((cell.from - from) / scale, (cell.to - from) / scale, value, cell.flag));
    }
    return pieces;
  }

  /** Flags are those of the pieces; data has none. */
  void write(Touch by, long from, long to, Form form, List<Piece> pieces) {
    Collection<Cell> before = between(from, to);
    int scale = scale(form);
    for (Cell cell : before) {
      if (form == Form.PACKETS && isSame(cell, from, pieces)) {
        continue; // The same packets again: a reader cannot tell.
      }
      // Order is enough: what is overwritten need not be seen.
      boolean follows = cell.writer == null || by.actor().isAfter(cell.writer);
      if (!follows) {
        races.found(this, cell.from, cell.to, form, new Conflict(cell.writer, true, by, true));
      }
      for (Touch reader : cell.readers) {
        if (!by.actor().isAfter(reader)) {
          races.found(this, cell.from, cell.to, form, new Conflict(reader, false, by, true));
          break;
        }
      }
    }
    before.clear();
    for (Piece piece : pieces) {
      long begin = from + piece.from() * scale;
      Value value = piece.value().shifted(-from / scale);
      cells.put(
          begin,
          new Cell(
              begin,
              from + piece.to() * scale,
              form,
              form == Form.PACKETS ? piece.flag() : 0,
              value,
              by,
              new ArrayList<>()));
    }
  }

  private static boolean isSame(Cell cell, long from, List<Piece> pieces) {
    if (cell.form != Form.PACKETS) {
      return false;
    }
    long begin = (cell.from - from) / 2;
    long end = (cell.to - from) / 2;
    return pieces.stream()
        .filter(piece -> piece.from() < end && piece.to() > begin)
        .allMatch(
            piece ->
                piece.flag() == cell.flag && piece.value().equals(cell.value.shifted(from / 2)));
  }

  /** Who wrote these bytes last. */
  Set<Touch> writers(long from, long to) {
    Set<Touch> writers = new LinkedHashSet<>();
    for (Cell cell : between(from, to)) {
      if (cell.writer != null) {
        writers.add(cell.writer);
      }
    }
    return writers;
  }

  /** The cells of exactly these bytes, cut where they reach further. */
  private Collection<Cell> between(long from, long to) {
    if (from >= to) {
      return new ArrayList<>();
    }
    cut(from);
    cut(to);
    Collection<Cell> found = cells.subMap(from, to).values();
    budget.spend(100L * found.size());
    return found;
  }

  private void cut(long at) {
    var entry = cells.lowerEntry(at);
    if (entry == null || entry.getValue().to <= at) {
      return;
    }
    Cell left = entry.getValue();
    cells.put(
        at,
        new Cell(
            at,
            left.to,
            left.form,
            left.flag,
            left.value,
            left.writer,
            new ArrayList<>(left.readers)));
    left.to = at;
  }

  private static int scale(Form form) {
    return form == Form.PACKETS ? 2 : 1;
  }
}
