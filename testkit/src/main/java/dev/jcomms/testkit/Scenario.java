package dev.jcomms.testkit;

/**
 * One thing that a backend must do, as a value: every rank of a fresh communicator runs the body,
 * and what a body throws is what is wrong with the backend.
 *
 * @param name a sentence after the operation or area it is about: {@code barrier/nobody leaves
 *     before everybody came}
 * @param needs what it cannot do without: where that is lacking, it is skipped and reported as such
 * @param tier the least tier it belongs to
 */
public record Scenario(String name, Needs needs, Tier tier, Body body) {

  /** What one rank does. */
  @FunctionalInterface
  public interface Body {
    void run(Rank rank) throws Exception;
  }

  /** A scenario of every tier. */
  public Scenario(String name, Needs needs, Body body) {
    this(name, needs, Tier.QUICK, body);
  }

  @Override
  public String toString() {
    return name;
  }
}
