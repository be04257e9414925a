package dev.jcomms.jccl.plan;

/** Stand-in. */
public final class PlanLayout {
  private PlanLayout() {}
}
