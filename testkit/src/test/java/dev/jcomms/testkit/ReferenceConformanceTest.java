package dev.jcomms.testkit;

/** The reference does all that a backend must: the kit asks for nothing that cannot be done. */
final class ReferenceConformanceTest extends BackendConformance {
  @Override
  protected String backend() {
    return "reference";
  }
}
