package dev.jcomms.spi;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import java.util.List;

/**
 * A backend that prepares a sequence of operations once and runs it many times faster than one by
 * one.
 */
public interface GraphBackend extends Backend {
  /** One recorded operation with its options, which have a timeout. */
  record Step(Collective op, OpOptions options) {}

  /** A prepared sequence. */
  interface Recording extends AutoCloseable {
    /** Runs it once, under the rules of {@link Backend#submit}. */
    dev.jcomms.Work replay();

    /** Frees it. */
    @Override
    void close();
  }

  /** Prepares a sequence, without running it. Collective over the communicator. */
  Recording record(List<Step> steps);
}
