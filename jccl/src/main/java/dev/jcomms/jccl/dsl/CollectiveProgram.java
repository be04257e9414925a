package dev.jcomms.jccl.dsl;

import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.Proof;
import java.util.function.Consumer;

/**
 * A collective as its author wrote it down, step by step for every rank, and the {@link Plan} that
 * becomes of it.
 *
 * <pre>{@code
 * CollectiveProgram.define(ProgramSpec.allGather("allgather", n).inPlace(), p -> {
 *   Mesh mesh = p.memoryMesh();
 *   mesh.forEach(link -> link.signal(on(0).relaxed()));
 *   mesh.forEach(link -> link.await(on(0).relaxed().syncAfter()));
 *   mesh.forEach(link -> {
 *     int mine = link.from();
 *     link.put(p.rank(mine).output().chunk(mine), p.rank(link.to()).output().chunk(mine), on(0));
 *   });
 *   mesh.forEach(link -> link.signal(on(0).syncBefore()));
 *   mesh.forEach(link -> link.await(on(0).syncAfter()));
 * });
 * }</pre>
 *
 * <p>Immutable: any thread may use it. Programs know nothing of each other, so several threads may
 * define some at once.
 */
public final class CollectiveProgram {
  private final ProgramSpec spec;
  private final Plan plan;

  private CollectiveProgram(ProgramSpec spec, Plan plan) {
    this.spec = spec;
    this.plan = plan;
  }

  /**
   * Runs {@code body}, which tells every rank what to do, and makes the plan of it.
   *
   * @throws ProgramException if the program makes no sense; the message begins with the line of the
   *     source
   */
  public static CollectiveProgram define(ProgramSpec spec, Consumer<ProgramBuilder> body) {
    Recorder recorder = new Recorder(spec);
    body.accept(new ProgramBuilder(recorder));
    return new CollectiveProgram(spec, recorder.finish());
  }

  public ProgramSpec spec() {
    return spec;
  }

  public Plan plan() {
    return plan;
  }

  /** Proves that the plan does what its collective promises, or tells what is wrong and where. */
  public Proof verify() {
    return plan.check();
  }
}
