package dev.jcomms;

import dev.jcomms.tensor.DType;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The last operations of a communicator, kept in a ring, for the question that follows a hang: who
 * was where?
 *
 * <p>Always on. Any thread may read it; the entries are a consistent copy. It is dumped as JSON
 * when an operation times out or the communicator is aborted, if {@link
 * Setting#FLIGHT_RECORDER_DIR} names a folder; {@code jcomms trace} merges the dumps of all ranks.
 */
public interface FlightRecorder {

  /** How far an operation came. */
  enum State {
    SCHEDULED,
    STARTED,
    COMPLETED,
    FAILED
  }

  /**
   * One operation.
   *
   * @param number shared by operations of one turn: those of a graph's replay, or behind a value
   * @param bytes of all its inputs, or of its outputs where it reads nothing
   * @param created when it was called; the clock is not read for all of many small operations that
   *     follow each other within microseconds, and those have the time of the last one before
   * @param ended empty while it runs
   * @param failure what it failed with
   */
  record Entry(
      long number,
      String op,
      long bytes,
      Optional<DType> dtype,
      State state,
      Instant created,
      Optional<Instant> started,
      Optional<Instant> ended,
      Optional<String> failure) {}

  /** The operations still in the ring, by number: in the order in which they run. */
  List<Entry> entries();

  /** The ring as one JSON document. */
  String toJson();

  /** Writes {@link #toJson} to a file, readable by its owner alone. */
  void dump(Path file);

  /** Forgets everything so far. */
  void reset();
}
