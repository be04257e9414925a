package dev.jcomms.jccl.internal.algo.host;

import dev.jcomms.Collective;
import dev.jcomms.CommMismatchException;
import dev.jcomms.OpOptions;
import dev.jcomms.PeerLostException;
import dev.jcomms.ReduceOp;
import dev.jcomms.jccl.internal.algo.Engine;
import dev.jcomms.jccl.internal.algo.host.HostSelector.Kind;
import dev.jcomms.jccl.internal.reduce.Reducer;
import dev.jcomms.jccl.internal.reduce.Reducers;
import dev.jcomms.jccl.internal.reduce.Terms;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.Facts;
import dev.jcomms.jccl.internal.transport.UserMemory;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import dev.jcomms.jccl.internal.transport.shm.HostMemory;
import dev.jcomms.jccl.internal.transport.shm.Sight;
import dev.jcomms.jccl.internal.transport.shm.Standings;
import dev.jcomms.jccl.internal.transport.shm.SymmetricMemory;
import dev.jcomms.tensor.Tensor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Collectives among the ranks of one host: takes operations apart and gives each to the algorithm
 * its size calls for.
 */
public final class HostEngine implements Engine {
  private static final long NEVER = -1;

  private final Floor floor;
  private final Crew crew;
  private final Reach reach;
  private final boolean local;
  private final Sight sight;
  private final SymmetricMemory symmetric;
  private final FlatMove flatMove;
  private final FlatReduce flatReduce;
  private final StagedReduce stagedReduce;
  private final DirectReduce directReduce;
  private final PulledReduce pulledReduce;
  private final RootedStream stream;
  private final StagedMove stagedMove;
  private final DirectMove directMove;
  private final DirectBroadcast directBroadcast;
  private final StagedReduceScatter stagedReduceScatter;
  private final PulledReduceScatter pulledReduceScatter;
  private final Attempts attempts;
  private final Supplier<Reach.Way> bestWay = this::findBestWay;
  private HostSelector last = HostSelector.FLAT;

  /** The phase in which tensors were shown to the others; or never, in this operation. */
  private long shown = NEVER;

  /**
   * @param sight what the ranks' processes see of each other's memory
   * @param liveness raises the alarm if a process of the host is gone
   * @param threads of this rank that work on large tensors, at most
   */
  public HostEngine(
      Floor floor,
      HostMemory memory,
      SymmetricMemory symmetric,
      Sight sight,
      Runnable liveness,
      int threads) {
    boolean local = memory.shown() != null;
    Reach reach =
        local
            ? new LocalReach(floor, memory.shown())
            : new ProcessReach(floor, symmetric, sight, liveness);
    this(floor, reach, local, symmetric, sight, threads);
  }

  /**
   * @param local whether the ranks are threads of one JVM: then there need be no symmetric memory,
   *     and no sight
   */
  HostEngine(
      Floor floor,
      Reach reach,
      boolean local,
      SymmetricMemory symmetric,
      Sight sight,
      int threads) {
    this.floor = floor;
    this.reach = reach;
    this.local = local;
    this.symmetric = symmetric;
    this.sight = sight;
    this.attempts = new Attempts(floor);
    Terms terms = new Terms();
    this.crew = new Crew(threads, terms);
    Pull pull = new Pull(floor, reach, crew);
    this.flatMove = new FlatMove(floor);
    this.flatReduce = new FlatReduce(floor, terms);
    this.stagedReduce = new StagedReduce(floor, terms);
    this.directReduce = new DirectReduce(floor, crew, reach);
    this.pulledReduce = new PulledReduce(floor, reach, pull);
    this.stream = new RootedStream(floor, flatReduce);
    this.stagedMove = new StagedMove(floor, crew);
    this.directMove = new DirectMove(floor, reach, crew, pull);
    this.directBroadcast = new DirectBroadcast(floor, reach, crew);
    this.stagedReduceScatter = new StagedReduceScatter(floor, terms);
    this.pulledReduceScatter = new PulledReduceScatter(floor, pull);
  }

  @Override
  public int rank() {
    return floor.rank();
  }

  @Override
  public int size() {
    return floor.size();
  }

  @Override
  public void perform(Collective op, OpOptions options, Deadline deadline) {
    perform(op, options, Facts.head(op, options), Facts.count(op), deadline);
  }

  @Override
  public void perform(Collective op, OpOptions options, long head, long count, Deadline deadline) {
    floor.come(head, count);
    long before = floor.phase();
    shown = NEVER;
    try {
      if (stream.run(op, deadline)) {
        last = HostSelector.FLAT;
      } else {
        run(op, options, deadline);
      }
    } catch (RuntimeException | Error e) {
      boolean announced = floor.phase() != before;
      floor.standings().fail(e, announced && !isRefusal(e));
      if (!announced) {
        stream.forget();
      }
      if (shown != NEVER) {
        recover(e);
      }
      throw e;
    } finally {
      floor.go();
      // Others may read its tensors until they part.
      Reference.reachabilityFence(op);
    }
  }

  /** What leaves a communicator as it is. */
  private static boolean isRefusal(Throwable thrown) {
    return thrown instanceof IllegalArgumentException
        || thrown instanceof UnsupportedOperationException;
  }

  /** Others read what was shown, and write into it, until they come to the next phase. */
  private void recover(Throwable failure) {
    try {
      if (!isLeftAlone(failure)) {
        reach.withdraw();
      }
    } catch (IOException | RuntimeException | Error e) {
      failure.addSuppressed(e);
    }
  }

  private boolean isLeftAlone(Throwable failure) {
    Set<Integer> lost = failure instanceof PeerLostException p ? p.missingRanks() : Set.of();
    // Those who disagree are elsewhere, and those who agree know of it before they touch anything.
    boolean apart = failure instanceof CommMismatchException;
    // What was published in a phase is read until the next is.
    long latest = Math.max(shown, floor.phase() - 1);
    return floor
        .standings()
        .awaitOthers(
            latest, apart ? Standings.LAST_NANOS : reach.patienceNanos(), lost, sight::isDead);
  }

  /**
   * The compiler takes this for a method of its own, since it is long. What it calls would not be
   * compiled into its callers whole: those are fifteen deep with it, and there the compiler stops,
   * be it in the midst of a loop.
   */
  private void run(Collective op, OpOptions options, Deadline deadline) {
    switch (op) {
      case Collective.AllReduce(Tensor output, Tensor input, ReduceOp redop) ->
          reduce(input, output, redop, Fold.ALL, options, deadline);
      case Collective.Reduce(Tensor tensor, int root, ReduceOp redop) ->
          reduce(tensor, floor.rank() == root ? tensor : null, redop, root, options, deadline);
      case Collective.AllGatherSingle(Tensor output, Tensor input)
          when isFlat(Kind.GATHER, options, input.bytes(), input) ->
          flatMove.gather(input.segment(), output.segment(), deadline);
      case Collective.AllToAllSingle(Tensor output, Tensor input)
          when isFlat(Kind.EXCHANGE, options, input.bytes() / floor.size(), input) ->
          flatMove.exchange(input.segment(), output.segment(), deadline);
      case Collective.ReduceScatterSingle(Tensor output, Tensor input, ReduceOp redop)
          when isFlat(Kind.REDUCE_SCATTER, options, output.bytes(), input) -> {
        Reducer reducer = Reducers.of(output.dtype(), redop);
        flatReduce.scatter(
            input.segment(), output.segment(), reducer, Fold.factor(redop), deadline);
      }
      case Collective.ReduceScatter(Tensor output, _, ReduceOp redop) ->
          reduceScatter(op, output, redop, options, deadline);
      case Collective.ReduceScatterV(Tensor output, _, ReduceOp redop) ->
          reduceScatter(op, output, redop, options, deadline);
      case Collective.ReduceScatterSingle(Tensor output, _, ReduceOp redop) ->
          reduceScatter(op, output, redop, options, deadline);
      case Collective.Barrier _ -> floor.part(deadline);
      default -> move(op, options, deadline);
    }
  }

  /** Whether it is done at once: of several tensors, or what takes several stages, is not. */
  private boolean isFlat(Kind kind, OpOptions options, long bytes, Tensor input) {
    return select(kind, options, bytes) == HostSelector.FLAT && input.bytes() <= floor.stageBytes();
  }

  private void reduce(
      Tensor input, Tensor output, ReduceOp redop, int root, OpOptions options, Deadline deadline) {
    HostSelector choice = select(Kind.REDUCE, options, input.bytes());
    if (choice == HostSelector.FLAT) {
      Reducer reducer = Reducers.of(input.dtype(), redop);
      MemorySegment target = output == null ? null : output.segment();
      flatReduce.run(
          input.segment(), target, reducer, Fold.factor(redop), input.elements(), deadline);
      return;
    }
    Fold fold = Fold.of(input, output, redop, root);
    Reach.Way way = Reach.Way.NONE;
    if (isAttempted(choice, true, options)) {
      show(
          new MemorySegment[] {fold.input()}, fold.input(), fold.output(), fold.factor(), deadline);
      way = worthwhile(reach.way(Move.ALL, fold.root()), Kind.REDUCE, fold.bytes(), options);
    }
    if (way == Reach.Way.MAPPED) {
      directReduce.run(fold, deadline);
    } else if (way != Reach.Way.NONE) {
      pulledReduce.run(fold, way, deadline);
    } else {
      stagedReduce.run(fold, deadline);
    }
    reach.forget();
  }

  private void reduceScatter(
      Collective op, Tensor output, ReduceOp redop, OpOptions options, Deadline deadline) {
    Move move = Move.of(op, floor.rank(), floor.size());
    Reducer reducer = Reducers.of(output.dtype(), redop);
    double factor = Fold.factor(redop);
    MemorySegment target = output.segment();
    Reach.Way way = Reach.Way.NONE;
    HostSelector choice = select(Kind.REDUCE_SCATTER, options, move.largest());
    if (isAttempted(choice, isReachable(move), options)) {
      requireAlive(target);
      show(move.gives(), move.whole(), null, factor, deadline);
      way = reach.way(Move.ALL, Reach.NOBODY);
      way = worthwhile(way, Kind.REDUCE_SCATTER, move.largest(), options);
    }
    switch (way) {
      case MAPPED, SEEN, READABLE -> pulledReduceScatter.run(move, target, reducer, way, deadline);
      case NONE -> stagedReduceScatter.run(move, target, reducer, factor, deadline);
    }
    reach.forget();
  }

  private void move(Collective op, OpOptions options, Deadline deadline) {
    Move move = Move.of(op, floor.rank(), floor.size());
    Reach.Way way = Reach.Way.NONE;
    Kind kind =
        move.source() != Move.ALL ? Kind.FROM_ROOT : move.addressed() ? Kind.EXCHANGE : Kind.GATHER;
    HostSelector choice = select(kind, options, move.largest());
    boolean byAll = false;
    if (isAttempted(choice, isReachable(move), options)) {
      requireAlive(move.takes());
      boolean suits = DirectBroadcast.suits(move);
      MemorySegment output = suits && move.source() != floor.rank() ? move.whole() : null;
      show(move.gives(), move.whole(), output, 1, deadline);
      byAll = suits && reach.way(move.source(), Reach.OTHERS) == Reach.Way.MAPPED;
      way = byAll ? Reach.Way.MAPPED : reach.way(move.source(), Reach.NOBODY);
      way = worthwhile(way, kind, move.largest(), options);
    }
    if (way == Reach.Way.NONE) {
      stagedMove.run(move, deadline);
    } else if (byAll) {
      directBroadcast.run(move, deadline);
    } else {
      directMove.run(move, way, deadline);
    }
    reach.forget();
  }

  /** Processes show one place each; lists of tensors are in many. The same on all ranks. */
  private boolean isReachable(Move move) {
    return local || move.whole() != null;
  }

  /** Meets with the tensors shown; afterwards all know alike how they can be had. */
  private void show(
      MemorySegment[] pieces,
      MemorySegment whole,
      MemorySegment output,
      double factor,
      Deadline deadline) {
    if (pieces != null) {
      requireAlive(pieces);
    }
    requireAlive(whole, output);
    floor.begin();
    shown = floor.phase();
    reach.show(pieces, whole, output);
    floor.say(Double.doubleToRawLongBits(factor));
    floor.meet(deadline);
    floor.standings().requireNoFailure();
  }

  /** Null is no memory. */
  private static void requireAlive(MemorySegment... segments) {
    for (MemorySegment segment : segments) {
      if (segment != null) {
        UserMemory.requireAlive(segment);
      }
    }
  }

  /** Whether tensors are shown, to be had directly: not where that was in vain a while ago. */
  private boolean isAttempted(HostSelector choice, boolean reachable, OpOptions options) {
    if (choice != HostSelector.DIRECT) {
      return false;
    }
    if (reachable && (isForced(options) || attempts.isDue())) {
      return true;
    }
    last = HostSelector.STAGED;
    return false;
  }

  /** What can be had is not always worth having. */
  private Reach.Way worthwhile(Reach.Way way, Kind kind, long bytes, OpOptions options) {
    if (way != Reach.Way.NONE && (isForced(options) || kind.isWorth(way, bytes))) {
      attempts.worked();
      return way;
    }
    attempts.wasInVain();
    last = HostSelector.STAGED;
    return Reach.Way.NONE;
  }

  private static boolean isForced(OpOptions options) {
    return options.hints().containsKey("algorithm");
  }

  private HostSelector select(Kind kind, OpOptions options, long bytes) {
    HostSelector choice =
        HostSelector.select(kind, options, bytes, floor.size(), floor.stageBytes(), bestWay);
    if (choice != last) { // writing it costs more, since the collector keeps account of it
      last = choice;
    }
    return choice;
  }

  /** The best way in which ranks may have each other's memory. */
  private Reach.Way findBestWay() {
    if (local || !symmetric.isEmpty()) {
      return Reach.Way.MAPPED;
    }
    if (sight.seesTensors()) {
      return Reach.Way.SEEN;
    }
    return sight.reads() ? Reach.Way.READABLE : Reach.Way.NONE;
  }

  @Override
  public void agree(long head, long count, Deadline deadline) {
    floor.come(head, count);
    try {
      stream.end(deadline);
      floor.part(deadline);
    } finally {
      floor.go();
    }
  }

  @Override
  public void announce(long head, long count, Deadline deadline) {
    floor.come(head, count);
    try {
      stream.end(deadline);
      floor.begin();
      floor.announce();
      deadline.ask(floor::absent);
    } finally {
      floor.go();
    }
  }

  @Override
  public void confirm(Deadline deadline) {
    floor.come(floor.head(), floor.count());
    try {
      floor.confirm(deadline);
    } finally {
      floor.go();
    }
  }

  @Override
  public boolean wasPrompt() {
    return floor.wasPrompt() && last == HostSelector.FLAT;
  }

  /** The one used last: it is asked for after the operation, in its turn. */
  @Override
  public String algorithm(Collective op, OpOptions options) {
    return last.label();
  }

  /** The memory is its maker's to free. */
  @Override
  public void close() {
    floor.standings().leave();
    crew.close();
  }
}
