package dev.jcomms.jccl.plan;

import dev.jcomms.jccl.internal.prove.Prover;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * An execution plan: for each rank, what its thread blocks do to carry out one collective.
 *
 * <p>Made by {@link #read(Path)} from the JSON of MSCCL++'s DSL or of ours, or by our DSL.
 * Immutable, like everything in it: any thread may use it. A plan that was read need not make
 * sense: see {@link #validate}.
 *
 * @param collective the format's word, such as {@code allreduce}
 * @param inPlace whether input and output are the same memory
 * @param reuseResources whether one set-up serves all buffers
 * @param doubleScratch whether launches take turns at two halves of the scratch buffer
 * @param bufferAlignment bytes; chunks begin at multiples of it
 * @param minBytes the smallest message, unsigned
 * @param maxBytes the largest message, unsigned: {@code -1} is no limit
 */
public record Plan(
    String name,
    String collective,
    Protocol protocol,
    boolean inPlace,
    boolean reuseResources,
    int threadsPerBlock,
    boolean doubleScratch,
    int bufferAlignment,
    long minBytes,
    long maxBytes,
    List<RankPlan> ranks,
    Extras extras) {
  /** What the format supposes where the text is silent. */
  static final int DEFAULT_THREADS_PER_BLOCK = 1024;

  static final int DEFAULT_ALIGNMENT = 16;

  public Plan {
    ranks = List.copyOf(ranks);
  }

  /**
   * The plan that a file holds.
   *
   * @throws PlanException if the file is no plan in UTF-8
   * @throws IOException if it cannot be read
   */
  public static Plan read(Path file) throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(Json.MAX_CHARS + 1);
    }
    if (bytes.length > Json.MAX_CHARS) {
      throw new PlanException("", "longer than " + Json.MAX_CHARS + " bytes");
    }
    try {
      return read(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException _) {
      throw new PlanException("", "not UTF-8");
    }
  }

  /**
   * The plan that a text is.
   *
   * @throws PlanException if it is none
   */
  public static Plan read(String json) {
    return PlanReader.read(json);
  }

  /** The text of this plan, indented; equal to what was read but for the order of keys. */
  public String toJson() {
    Map<String, Object> tree = PlanWriter.tree(this);
    extras.applyTo(tree);
    return Json.writeIndented(tree);
  }

  /**
   * What is wrong or dubious, most of it by rank and block; empty for a sound plan. A plan without
   * errors has every number in range, every signal a wait and every group all its members; whether
   * it computes its collective, or ends, is another question.
   */
  public List<Finding> validate() {
    return PlanValidator.validate(this, true);
  }

  /**
   * What is wrong or dubious in single ops: {@link #validate} without what blocks owe each other. A
   * plan without such errors can be followed op by op, if only to see where it stops.
   */
  public List<Finding> validateOps() {
    return PlanValidator.validate(this, false);
  }

  /**
   * Proves that this plan does what its collective promises, or finds why not: wrong results, races
   * and deadlocks, in every order in which blocks can run and over several launches.
   */
  public Proof check() {
    return Prover.prove(this);
  }

  /**
   * What one launch does when.
   *
   * @throws IllegalArgumentException if this plan has an error, or is too large to be drawn
   */
  public Schedule schedule() {
    return Prover.schedule(this);
  }

  /**
   * The root of a collective that has one, if the text says it: the format has no word for it,
   * plans of our DSL have the key {@code root}.
   */
  public OptionalInt root() {
    String said = extras.kept().getOrDefault("", Map.of()).get(Extras.ROOT);
    return said != null && said.matches("\\d{1,9}") && Integer.parseInt(said) < ranks.size()
        ? OptionalInt.of(Integer.parseInt(said))
        : OptionalInt.empty();
  }

  /** The same plan with other ranks, and so without {@link #extras} but the root. */
  public Plan withRanks(List<RankPlan> others) {
    OptionalInt root = root();
    return with(others, root.isPresent() ? Extras.root(root.getAsInt()) : Extras.NONE);
  }

  Plan with(Extras noted) {
    return with(ranks, noted);
  }

  private Plan with(List<RankPlan> others, Extras noted) {
    return new Plan(
        name,
        collective,
        protocol,
        inPlace,
        reuseResources,
        threadsPerBlock,
        doubleScratch,
        bufferAlignment,
        minBytes,
        maxBytes,
        others,
        noted);
  }
}
