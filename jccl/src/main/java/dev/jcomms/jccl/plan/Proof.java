package dev.jcomms.jccl.plan;

import java.util.List;

/**
 * What is known of a {@link Plan} after {@link Plan#check}: that it does what its collective
 * promises in every order in which its blocks can run, or why not.
 *
 * <p>The contents of buffers are symbolic, so the proof is for all data. It is for the sizes of
 * chunk that are named; without groups and pipelines all sizes are alike.
 *
 * @param claim what was to be shown, as a sentence
 * @param flaws errors first; without errors the claim is proved
 * @param chunkBytes the sizes of chunk that were tried
 * @param launches how many launches of each, back to back, no rank waiting for another in between
 */
public record Proof(String claim, List<Flaw> flaws, List<Long> chunkBytes, int launches) {
  public Proof {
    flaws = List.copyOf(flaws);
    chunkBytes = List.copyOf(chunkBytes);
  }

  /** Whether the claim is proved. */
  public boolean holds() {
    return errors().isEmpty();
  }

  /** What keeps the plan from working. */
  public List<Flaw> errors() {
    return flaws.stream().filter(Flaw::isError).toList();
  }

  /** What works here but may not elsewhere. */
  public List<Flaw> warnings() {
    return flaws.stream().filter(flaw -> !flaw.isError()).toList();
  }
}
