package dev.jcomms.jccl.plan;

import dev.jcomms.jccl.plan.Op.Form;
import java.util.stream.Stream;

/**
 * The bytes of a {@link Plan} for one rank and one size of message: where chunks, slices, packets
 * and pipeline units begin and end. Made by {@link #of} or {@link #forMessage} for each size;
 * immutable.
 *
 * <p>All chunks of all buffers are equally long and begin at multiples of the plan's alignment, so
 * chunk {@code i} of any buffer begins at {@code i * chunkBytes}. Packets take twice the bytes of
 * their data: the packets of a chunk begin at twice the chunk's offset. Scratch is as large as the
 * plan needs whether or not it reuses resources.
 *
 * @param chunkBytes bytes of data in one chunk
 * @param scratchBytes bytes of the whole scratch buffer, with both halves if it has two
 */
public record PlanLayout(
    Plan plan,
    RankPlan rank,
    long inputBytes,
    long outputBytes,
    long chunkBytes,
    long scratchBytes) {
  /** A run of bytes. */
  public record Range(long offset, long bytes) {
    public long end() {
      return offset + bytes;
    }

    public boolean isEmpty() {
      return bytes == 0;
    }

    /** The same data as packets. */
    Range packed() {
      return new Range(Math.multiplyExact(offset, 2L), Math.multiplyExact(bytes, 2L));
    }
  }

  /**
   * The layout for buffers of these sizes.
   *
   * @throws IllegalArgumentException if the plan is not for such buffers
   */
  public static PlanLayout of(Plan plan, int rank, long inputBytes, long outputBytes) {
    RankPlan its = plan.ranks().get(rank);
    long input = chunkBytes(plan, "input", inputBytes, its.inputChunks());
    long output = chunkBytes(plan, "output", outputBytes, its.outputChunks());
    if (its.inputChunks() > 0 && its.outputChunks() > 0 && input != output) {
      throw unfit(
          plan,
          "input chunks have %d bytes (%d in %d), output chunks %d (%d in %d); they must be equal",
          input,
          inputBytes,
          its.inputChunks(),
          output,
          outputBytes,
          its.outputChunks());
    }
    long chunk = its.inputChunks() > 0 ? input : output;
    if (its.inputChunks() > 0 || its.outputChunks() > 0) {
      requireInRange(plan, product(plan, chunk, messageChunks(plan, measure(plan))));
    }
    return new PlanLayout(
        plan, its, inputBytes, outputBytes, chunk, scratchBytes(plan, its, chunk));
  }

  private static void requireInRange(Plan plan, long messageBytes) {
    if (Long.compareUnsigned(messageBytes, plan.minBytes()) < 0
        || Long.compareUnsigned(messageBytes, plan.maxBytes()) > 0) {
      throw unfit(
          plan,
          "a message of %d bytes is outside its range %s to %s",
          messageBytes,
          Long.toUnsignedString(plan.minBytes()),
          Long.toUnsignedString(plan.maxBytes()));
    }
  }

  /**
   * The layout for a message: the bytes of the input, or of the output where that is the larger by
   * nature, as in {@code allgather} and {@code gather}. Where ranks have different numbers of
   * chunks, as the root and the others may, those of the rank that has most of them: chunks are
   * equally long on all ranks.
   *
   * @throws IllegalArgumentException if the plan is not for such a message
   */
  public static PlanLayout forMessage(Plan plan, int rank, long messageBytes) {
    RankPlan measure = measure(plan);
    String buffer = isMeasuredByOutput(plan, measure) ? "output" : "input";
    long chunk = chunkBytes(plan, buffer, messageBytes, messageChunks(plan, measure));
    requireInRange(plan, messageBytes);
    return ofChunks(plan, rank, chunk);
  }

  /** The rank by whose chunks messages are measured: the first that has most of them. */
  private static RankPlan measure(Plan plan) {
    return plan.ranks().stream()
        .reduce((a, b) -> messageChunks(plan, b) > messageChunks(plan, a) ? b : a)
        .orElseThrow();
  }

  /** The layout with chunks of so many bytes, whether or not the plan is for such a message. */
  public static PlanLayout ofChunks(Plan plan, int rank, long chunkBytes) {
    RankPlan its = plan.ranks().get(rank);
    return new PlanLayout(
        plan,
        its,
        product(plan, chunkBytes, its.inputChunks()),
        product(plan, chunkBytes, its.outputChunks()),
        chunkBytes,
        scratchBytes(plan, its, chunkBytes));
  }

  /** Bytes of one of the rank's own buffers. */
  public long bytes(BufferType buffer) {
    return switch (buffer) {
      case INPUT -> inputBytes;
      case OUTPUT -> outputBytes;
      case SCRATCH -> scratchBytes;
    };
  }

  /**
   * The data of a chunk, counted from the beginning of its buffer; of the chunk's slice if a group
   * shares it.
   */
  public Range range(Chunk chunk, Group group) {
    Range whole =
        new Range(
            product(plan, chunkBytes, chunk.index()), product(plan, chunkBytes, chunk.chunks()));
    return group.isNone() ? whole : slice(whole, group);
  }

  /**
   * What an op touches of a chunk: its data or, from the beginning of the scratch half in use, its
   * packets.
   */
  public Range range(Op.Access access, Group group) {
    Range data = range(access.chunk(), group);
    return access.form() == Form.PACKETS ? data.packed() : data;
  }

  /** A member's part of a run of bytes: aligned parts, the first ones longer by one alignment. */
  Range slice(Range whole, Group group) {
    long from = share(whole.bytes(), group.member(), group.blocks());
    long to = share(whole.bytes(), group.member() + 1, group.blocks());
    return new Range(whole.offset() + from, to - from);
  }

  /** How often a pipeline runs its ops. */
  public long units(Op.Pipeline pipeline) {
    long bytes = product(plan, chunkBytes, pipeline.chunks());
    return bytes / pipeline.unitBytes() + (bytes % pipeline.unitBytes() == 0 ? 0 : 1);
  }

  /** What a pipeline's op touches at one iteration: empty once a run of bytes is through. */
  public static Range unit(Range whole, Op.Pipeline pipeline, long iteration) {
    // Divided, not multiplied: a unit may be far larger than any buffer.
    if (iteration > whole.bytes() / pipeline.unitBytes()) {
      return new Range(whole.end(), 0);
    }
    long done = iteration * pipeline.unitBytes();
    return new Range(whole.offset() + done, Math.min(whole.bytes() - done, pipeline.unitBytes()));
  }

  /** Where the scratch of a launch begins: halves take turns with the packets' flag. */
  public long scratchOffset(int flag) {
    return plan.doubleScratch() && (flag & 1) == 0 ? scratchBytes / 2 : 0;
  }

  /**
   * Offset of a part, if whole alignments are dealt out evenly and the first parts get the rest.
   */
  private long share(long bytes, int part, int parts) {
    if (part == parts) {
      return bytes;
    }
    long units = bytes / plan.bufferAlignment();
    return (part * (units / parts) + Math.min(part, units % parts)) * plan.bufferAlignment();
  }

  /**
   * A rank's chunks of a message: those of its input, or of its output as {@link #forMessage} has
   * it.
   */
  public static int messageChunks(Plan plan, RankPlan rank) {
    return isMeasuredByOutput(plan, rank) ? rank.outputChunks() : rank.inputChunks();
  }

  private static boolean isMeasuredByOutput(Plan plan, RankPlan rank) {
    return plan.collective().equals("allgather")
        || plan.collective().equals("gather")
        || rank.inputChunks() == 0;
  }

  private static long chunkBytes(Plan plan, String buffer, long bytes, int chunks) {
    if (bytes < 0) {
      throw unfit(plan, "%s of %d bytes", buffer, bytes);
    }
    if (chunks == 0) {
      return 0;
    }
    int alignment = plan.bufferAlignment();
    if (bytes % alignment != 0 || bytes / alignment % chunks != 0) {
      throw unfit(
          plan,
          "%s of %d bytes does not divide into %d chunks of whole multiples of %d bytes",
          buffer,
          bytes,
          chunks,
          alignment);
    }
    return bytes / chunks;
  }

  private static long scratchBytes(Plan plan, RankPlan rank, long chunkBytes) {
    long data = product(plan, chunkBytes, rank.scratchChunks());
    int copies = (hasPackets(plan) ? 2 : 1) * (plan.doubleScratch() ? 2 : 1);
    return product(plan, data, copies);
  }

  /** Whether scratch has room for packets: whenever the protocol or any op of any rank says so. */
  public static boolean hasPackets(Plan plan) {
    return plan.protocol() == Protocol.LL
        || plan.ranks().stream()
            .flatMap(rank -> rank.blocks().stream())
            .flatMap(block -> block.ops().stream())
            .flatMap(op -> op instanceof Op.Pipeline loop ? loop.ops().stream() : Stream.of(op))
            .anyMatch(
                op ->
                    op instanceof Op.Data data
                        && Stream.concat(data.reads().stream(), data.writes().stream())
                            .anyMatch(access -> access.form() == Form.PACKETS));
  }

  private static long product(Plan plan, long bytes, int times) {
    try {
      return Math.multiplyExact(bytes, (long) times);
    } catch (ArithmeticException _) {
      throw unfit(plan, "%d times %d bytes is more than 64 bits hold", times, bytes);
    }
  }

  private static IllegalArgumentException unfit(Plan plan, String problem, Object... values) {
    return new IllegalArgumentException(
        "plan '%s': %s".formatted(plan.name(), problem.formatted(values)));
  }
}
