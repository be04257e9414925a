package dev.jcomms.jccl.internal.dsl;

import dev.jcomms.jccl.plan.Chunk;
import dev.jcomms.jccl.plan.Op.Form;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What the scratch chunks of a rank are used for. A chunk holds packets or data, not both in turn;
 * and it takes packets once: a launch has one flag, so a reader could not tell the second ones from
 * the first.
 */
public final class ScratchUse {
  private record Use(Form form, boolean write, Caller caller) {}

  private final Map<Integer, Use> uses = new HashMap<>();
  private final Map<Integer, Integer> reads = new HashMap<>();

  /** Notes a use; what is wrong with it, if anything. */
  public Optional<String> note(int index, int chunks, Form form, boolean write) {
    Caller caller = Caller.current();
    for (int i = index; i < index + chunks; i++) {
      Use earlier = uses.get(i);
      if (earlier != null && earlier.form != form) {
        return Optional.of(
            "scratch chunk %d holds %s since %s, and would hold %s here"
                .formatted(i, words(earlier.form), earlier.caller, words(form)));
      }
      if (earlier != null && form == Form.PACKETS && write && earlier.write) {
        return Optional.of(
            "scratch chunk %d takes packets at %s already; in one launch, who reads it could not"
                    .formatted(i, earlier.caller)
                + " tell these from those");
      }
      if (earlier == null || write) {
        uses.put(i, new Use(form, write, caller));
      }
      if (!write) {
        reads.merge(i, 1, Integer::sum);
      }
    }
    return Optional.empty();
  }

  /** Whether one op of all the program reads the chunk, and no other. */
  public boolean isReadOnce(Chunk.Local chunk) {
    return IntStream.range(chunk.index(), chunk.index() + chunk.chunks())
        .allMatch(i -> reads.getOrDefault(i, 0) == 1);
  }

  private static String words(Form form) {
    return form == Form.PACKETS ? "packets" : "data";
  }
}
