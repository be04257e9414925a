package dev.jcomms;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a communicator is made with, beyond its ranks. A split inherits them unless told otherwise.
 * Immutable.
 *
 * @param name the name in messages; empty: one is made up
 * @param timeout of operations that have none of their own
 * @param hints for the backend
 * @param abortProcessOnError whether a failed operation ends the process
 */
public record CommOptions(
    Optional<String> name,
    Duration timeout,
    Map<String, String> hints,
    boolean abortProcessOnError) {

  public CommOptions {
    timeout = OpOptions.positive(timeout);
    hints = Map.copyOf(hints);
    if (name.isPresent() && !name.get().matches("[^\\s/\\p{Cntrl}][^\\p{Cntrl}]{0,199}")) {
      throw new IllegalArgumentException(
          "name='"
              + name.get()
              + "' is not 1 to 200 printable characters of which the first is no '/' and no blank");
    }
  }

  /** These options with a name. */
  public CommOptions withName(String name) {
    return new CommOptions(Optional.of(name), timeout, hints, abortProcessOnError);
  }

  /** These options without a name. */
  public CommOptions unnamed() {
    return new CommOptions(Optional.empty(), timeout, hints, abortProcessOnError);
  }

  /** These options with another timeout. */
  public CommOptions withTimeout(Duration timeout) {
    return new CommOptions(name, timeout, hints, abortProcessOnError);
  }

  /** These options with one hint more, or changed. */
  public CommOptions withHint(String hint, String value) {
    Map<String, String> more = new TreeMap<>(hints);
    more.put(hint, value);
    return new CommOptions(name, timeout, more, abortProcessOnError);
  }

  /** These options with another answer to failed operations. */
  public CommOptions withAbortProcessOnError(boolean abort) {
    return new CommOptions(name, timeout, hints, abort);
  }
}
