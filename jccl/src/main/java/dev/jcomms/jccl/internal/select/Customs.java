package dev.jcomms.jccl.internal.select;

import dev.jcomms.jccl.AlgorithmCollection;
import dev.jcomms.jccl.Selector;
import dev.jcomms.jccl.TuningTable;

/**
 * What a communicator was given beyond the defaults.
 *
 * @param algorithms null for jccl's own
 * @param primary asked first; null if there is none
 * @param table asked next; null if there is none
 * @param fallback asked last; null if there is none
 */
public record Customs(
    AlgorithmCollection algorithms, Selector primary, TuningTable table, Selector fallback) {
  /** Nothing: the engine decides. */
  public static final Customs NONE = new Customs(null, null, null, null);

  AlgorithmCollection collection() {
    return algorithms == null ? AlgorithmCollection.defaults() : algorithms;
  }
}
