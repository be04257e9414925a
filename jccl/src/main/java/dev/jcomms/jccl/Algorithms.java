package dev.jcomms.jccl;

import dev.jcomms.jccl.internal.select.PlanAlgorithm;
import dev.jcomms.jccl.plan.Plan;
import java.util.function.Function;

/** Ways to make an {@link Algorithm} other than to write a class. */
public final class Algorithms {
  private Algorithms() {}

  /**
   * A plan as an algorithm, under the plan's name with {@code _} for what names cannot have. It is
   * for as many ranks and for the sizes that the plan says, as far as they divide into its chunks,
   * and for the reduction that its ops have; for the root that it says, if its collective has one.
   *
   * @throws IllegalArgumentException if the plan is unsound, does not say its root, or is for
   *     {@code sendrecv} or {@code test}
   */
  public static Algorithm ofPlan(Plan plan) {
    return new PlanAlgorithm(plan);
  }

  /** An algorithm for all sizes and any ranks, in one expression. */
  public static Algorithm of(
      String collective,
      String name,
      String description,
      Function<Setup, Algorithm.Preparation> prepare) {
    return new Algorithm() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public String collective() {
        return collective;
      }

      @Override
      public String description() {
        return description;
      }

      @Override
      public Preparation prepare(Setup setup) {
        return prepare.apply(setup);
      }

      @Override
      public String toString() {
        return collective + "/" + name;
      }
    };
  }
}
