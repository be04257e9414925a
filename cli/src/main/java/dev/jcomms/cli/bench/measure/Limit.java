package dev.jcomms.cli.bench.measure;

import dev.jcomms.cli.bench.op.Form;
import java.util.Optional;

/** What the machine itself needs for an operation, without any library. Used by one thread. */
interface Limit extends AutoCloseable {
  /** The work of this rank; empty on all ranks alike where nobody has any. */
  Optional<Batch> of(long bytes, Form form);

  /** None at all. */
  static Limit none() {
    return new Limit() {
      @Override
      public Optional<Batch> of(long bytes, Form form) {
        return Optional.empty();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  void close();
}
