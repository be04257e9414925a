package dev.jcomms.cli.bench.op;

import dev.jcomms.Collective;
import dev.jcomms.tensor.Tensor;
import java.util.List;
import java.util.stream.Stream;

/**
 * One operation ready to run on one rank, with what its tensors hold before and must hold after.
 * Used by one thread.
 *
 * @param op what to run; the same object can run any number of times
 */
public record Trial(Collective op, List<Part> given, List<Part> expected) {

  /** No element of a result is made of it, or few are: what was not written shows. */
  private static final byte RUBBISH = (byte) 0xA5;

  /** A tensor and what it holds. */
  record Part(Tensor tensor, Content content) {}

  /** Zeros everywhere, written, so that every page is there. */
  public void clear() {
    given.forEach(part -> part.tensor().zero());
    expected.forEach(part -> part.tensor().zero());
  }

  /** Writes what the operation starts from; what it writes to is rubbish before. */
  public void fill() {
    expected.forEach(part -> part.tensor().segment().fill(RUBBISH));
    given.forEach(part -> Contents.fill(part.tensor(), part.content()));
  }

  /** How many elements are not what they must be: of outputs, and of inputs that are no output. */
  public long wrong() {
    return Stream.concat(expected.stream(), given.stream().filter(part -> !isOutput(part)))
        .mapToLong(part -> Contents.wrong(part.tensor(), part.content()))
        .sum();
  }

  private boolean isOutput(Part input) {
    return expected.stream()
        .map(output -> output.tensor().segment())
        .anyMatch(output -> output.asOverlappingSlice(input.tensor().segment()).isPresent());
  }
}
