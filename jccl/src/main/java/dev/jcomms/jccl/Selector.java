package dev.jcomms.jccl;

import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Says which algorithm a request gets: a function of the request and nothing else, called once for
 * each request and remembered. Any thread.
 *
 * <p>A {@link Request} holds only what all ranks agree on, so all choose alike; ranks whose
 * selectors differ get {@link dev.jcomms.CommMismatchException}.
 */
@FunctionalInterface
public interface Selector {
  /** The algorithm to take; empty to leave it to the next selector, and at last to jccl itself. */
  Optional<Choice> select(Request request);

  /**
   * Takes one algorithm for all requests of a collective, and leaves the others alone.
   *
   * @param algorithm its name, with launch parameters if need be, as {@link Choice} has it
   */
  static Selector of(String collective, String algorithm) {
    if (!AlgorithmCollection.collectives().contains(collective)) {
      throw new IllegalArgumentException(
          "no collective '%s'; there are %s"
              .formatted(collective, String.join(", ", AlgorithmCollection.collectives())));
    }
    Optional<Choice> choice = Optional.of(Choice.parse(algorithm));
    return request -> request.collective().equals(collective) ? choice : Optional.empty();
  }

  /** How the ranks of a communicator reach each other. */
  enum Transport {
    /** Through the memory of one JVM. */
    LOCAL,
    /** Through shared memory of one host. */
    SHM,
    /** Through sockets: every rank is a host of its own. */
    TCP,
    /** Through shared memory inside hosts and sockets between them. */
    MIXED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What is asked for, as far as all ranks agree on it.
   *
   * @param collective as {@link Algorithm#collective()} names it
   * @param bytes of the whole buffer, as {@link Algorithm} counts them
   * @param dtype of the elements
   * @param op how they are combined; null where they are not
   * @param world the number of ranks
   * @param ranksPerHost how many share a host; 0 if hosts differ in that
   * @param symmetric whether the communicator has symmetric memory by now: some of the tensors may
   *     be in it
   * @param root the rank that differs from the others; -1 where none does
   */
  record Request(
      String collective,
      long bytes,
      DType dtype,
      ReduceOp op,
      int world,
      int ranksPerHost,
      Transport transport,
      boolean symmetric,
      int root) {
    /** Of a collective without a root. */
    public Request(
        String collective,
        long bytes,
        DType dtype,
        ReduceOp op,
        int world,
        int ranksPerHost,
        Transport transport,
        boolean symmetric) {
      this(collective, bytes, dtype, op, world, ranksPerHost, transport, symmetric, -1);
    }
  }

  /**
   * An algorithm by name, with launch parameters. As text, {@code ring} or {@code
   * packets:payload=8,lanes=2}: so the hint {@code algorithm} has it, too.
   *
   * @param parameters those that are not what the algorithm takes anyway
   */
  record Choice(String algorithm, Map<String, Long> parameters) {
    /** What jccl takes by itself, whatever that is. */
    public static final Choice AUTO = new Choice("auto", Map.of());

    public Choice {
      Objects.requireNonNull(algorithm);
      parameters = Map.copyOf(parameters);
    }

    /** Whether it is an algorithm of this name, as it is. */
    public boolean isPlain(String name) {
      return algorithm.equals(name) && parameters.isEmpty();
    }

    /** An algorithm as it is. */
    public static Choice of(String algorithm) {
      return new Choice(algorithm, Map.of());
    }

    /**
     * What a text says.
     *
     * @throws IllegalArgumentException if it says nothing
     */
    public static Choice parse(String text) {
      int colon = text.indexOf(':');
      if (colon < 0) {
        return of(text);
      }
      Map<String, Long> parameters = new TreeMap<>();
      for (String setting : text.substring(colon + 1).split(",")) {
        if (!setting.matches("[a-z0-9_]+=-?\\d{1,18}")) {
          throw new IllegalArgumentException(
              "algorithm=%s: '%s' is not NAME=NUMBER".formatted(text, setting));
        }
        int equals = setting.indexOf('=');
        parameters.put(setting.substring(0, equals), Long.parseLong(setting.substring(equals + 1)));
      }
      return new Choice(text.substring(0, colon), parameters);
    }

    @Override
    public String toString() {
      return parameters.isEmpty()
          ? algorithm
          : new TreeMap<>(parameters)
              .entrySet().stream()
                  .map(one -> one.getKey() + "=" + one.getValue())
                  .collect(Collectors.joining(",", algorithm + ":", ""));
    }
  }
}
