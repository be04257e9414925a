package dev.jcomms.jccl.internal.select;

import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.Algorithm;
import dev.jcomms.jccl.Selector;
import dev.jcomms.jccl.Setup;
import dev.jcomms.jccl.internal.exec.Executor;
import dev.jcomms.jccl.internal.exec.PreparedPlan;
import dev.jcomms.jccl.internal.reduce.Reducers;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.shm.HostMemory;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What one preparation of one algorithm works with, and the memory it was given. */
final class RankSetup implements Setup, AutoCloseable {
  /** No user's message has a negative tag. */
  private static final int TAG = -1;

  private static final Deadline.Progress IN_SHARED_MEMORY =
      Deadline.Progress.alone("an algorithm waits on shared memory");

  private final Resources resources;
  private final Algorithm algorithm;
  private final Selector.Request request;
  private final Map<String, Long> parameters;
  private final String topic;
  private final Map<Plan, PreparedPlan> plans;
  private final List<HostMemory> memory = new ArrayList<>();
  private final Terms terms = new Terms();
  private Deadline deadline;
  private boolean preparing = true;

  /**
   * @param topic under which its ranks meet on the bulletin; no other preparation's
   * @param plans the communicator's, as they were prepared last
   */
  RankSetup(
      Resources resources,
      Algorithm algorithm,
      Selector.Request request,
      Map<String, Long> parameters,
      String topic,
      Map<Plan, PreparedPlan> plans) {
    this.resources = resources;
    this.algorithm = algorithm;
    this.request = request;
    this.parameters = parameters;
    this.topic = topic;
    this.plans = plans;
  }

  /** From now on waits end by this. */
  void within(Deadline deadline) {
    this.deadline = deadline;
  }

  Deadline deadline() {
    return deadline;
  }

  Executor executor() {
    return resources.executor();
  }

  Map<Plan, PreparedPlan> plans() {
    return plans;
  }

  /** The preparation is over. */
  void prepared() {
    preparing = false;
  }

  /** Performs an operation by an algorithm of the engine. */
  void force(String name, OpTask task) {
    OpOptions forced = OpOptions.timeout(left()).withHint("algorithm", name);
    resources.engine().perform(task.collective(), forced, deadline);
  }

  @Override
  public int rank() {
    return resources.roster().rank();
  }

  @Override
  public int size() {
    return resources.roster().size();
  }

  @Override
  public List<Integer> host() {
    return resources.roster().host(rank());
  }

  @Override
  public Selector.Request request() {
    return request;
  }

  @Override
  public long parameter(String name) {
    Long given = parameters.get(name);
    if (given != null) {
      return given;
    }
    List<Long> values = algorithm.parameters().get(name);
    if (values == null) {
      throw new IllegalArgumentException(
          "algorithm '%s' has no parameter '%s'; it has %s"
              .formatted(algorithm.name(), name, algorithm.parameters().keySet()));
    }
    return values.getFirst();
  }

  @Override
  public MemorySegment shared(long bytes) {
    if (!preparing) {
      throw new IllegalStateException(
          "algorithm '%s': memory is shared while it is prepared, not later"
              .formatted(algorithm.name()));
    }
    HostMemory piece =
        HostMemory.share(
            resources.roster(),
            resources.bulletin(),
            topic + "/memory/" + memory.size(),
            resources.fileName(),
            bytes,
            left());
    memory.add(piece);
    return piece.segment();
  }

  @Override
  public void send(Tensor tensor, int dst) {
    perform(new Collective.Send(tensor, dst, TAG));
  }

  @Override
  public void recv(Tensor tensor, int src) {
    perform(new Collective.Recv(tensor, src, TAG));
  }

  @Override
  public void sendRecv(Tensor out, int dst, Tensor in, int src) {
    perform(
        new Collective.SendRecvBatch(
            List.of(new Collective.Send(out, dst, TAG), new Collective.Recv(in, src, TAG))));
  }

  private void perform(Collective op) {
    check();
    resources.mail().perform(op, OpOptions.timeout(left()));
  }

  @Override
  public void meet() {
    resources.engine().perform(new Collective.Barrier(), OpOptions.timeout(left()), deadline);
  }

  @Override
  public void reduce(Tensor into, List<Tensor> from, ReduceOp op) {
    terms.clear();
    for (Tensor term : from) {
      if (term.dtype() != into.dtype() || term.elements() != into.elements()) {
        throw new IllegalArgumentException(
            "reduce: into has %d x %s, a term has %d x %s"
                .formatted(into.elements(), into.dtype(), term.elements(), term.dtype()));
      }
      terms.add(term.segment(), 0);
    }
    Reducers.of(into.dtype(), op).reduce(into.segment(), 0, terms, into.elements(), from.size());
    terms.clear();
  }

  @Override
  public Duration left() {
    // A wait that begins late fails by itself, and says what it waited for.
    return Duration.ofNanos(Math.max(1, deadline.leftNanos()));
  }

  @Override
  public void check() {
    resources.attend().run();
    deadline.check(IN_SHARED_MEMORY);
  }

  @Override
  public void close() {
    memory.forEach(HostMemory::close);
  }
}
