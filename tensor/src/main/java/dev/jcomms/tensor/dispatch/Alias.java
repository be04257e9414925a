package dev.jcomms.tensor.dispatch;

import java.util.List;

/**
 * What a schema says about the memory of a value: {@code (a)} shares memory with every other value
 * marked {@code a}, {@code (a!)} is also written to, {@code (a -> *)} may afterwards be reached
 * from anywhere, {@code *} stands for any memory at all. Immutable.
 *
 * @param before the sets the value belongs to when the operator starts, in the order written; empty
 *     for the bare {@code !} of {@code Tensor!}, memory of its own
 * @param write whether the operator writes to it
 * @param after the sets it belongs to when the operator ends; mostly the same
 */
public record Alias(List<String> before, boolean write, List<String> after) {
  /** The set of all memory. */
  public static final String WILDCARD = "*";

  public Alias {
    before = List.copyOf(before);
    after = List.copyOf(after);
    if (before.isEmpty() && !write) {
      throw new IllegalArgumentException("an alias annotation names no set and writes nothing");
    }
  }

  /** {@code (a!)}, {@code (b|a)}, {@code (a -> *)}, {@code !}. */
  @Override
  public String toString() {
    if (before.isEmpty()) return "!";
    return "("
        + String.join("|", before)
        + (write ? "!" : "")
        + (after.equals(before) ? "" : " -> " + String.join("|", after))
        + ")";
  }
}
