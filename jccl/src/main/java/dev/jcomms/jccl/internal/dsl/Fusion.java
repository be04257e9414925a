package dev.jcomms.jccl.internal.dsl;

import dev.jcomms.jccl.internal.dsl.Step.Act;
import dev.jcomms.jccl.internal.dsl.Step.Loop;
import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.ChannelType;
import dev.jcomms.jccl.plan.Chunk;
import dev.jcomms.jccl.plan.Op;
import dev.jcomms.jccl.plan.Op.Copy.Packing;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Joins neighbours that one op can do, and drops meetings of threads that another one makes
 * needless. Greedy from the left, inside loops too.
 *
 * <p>Two reductions in a row of the same source into the same destination are one reduction of all
 * their operands: that is what their author means, whether or not the destination is the source.
 */
public final class Fusion {
  private final boolean inPlace;
  private final Predicate<Chunk.Local> isReadOnce;

  /**
   * @param inPlace whether chunk {@code i} of input and of output are the same memory
   * @param isReadOnce whether one op of all the program reads a chunk of scratch, and no other
   */
  public Fusion(boolean inPlace, Predicate<Chunk.Local> isReadOnce) {
    this.inPlace = inPlace;
    this.isReadOnce = isReadOnce;
  }

  public List<Step> fuse(List<Step> steps) {
    List<Step> fused = new ArrayList<>();
    for (Step step : steps) {
      Step next =
          step instanceof Loop(long unit, int chunks, var inner)
              ? new Loop(unit, chunks, fuse(inner))
              : step;
      if (fused.isEmpty()) {
        fused.add(next);
        continue;
      }
      Step last = fused.removeLast();
      Step joined = join(last, next);
      if (joined != null) {
        fused.add(joined);
      } else {
        fused.add(beginsWithMeeting(next) ? withoutAfter(last) : last);
        fused.add(endsWithMeeting(last) ? withoutBefore(next) : next);
      }
    }
    return fused;
  }

  /** One step for both; null if there is none. */
  private Step join(Step last, Step next) {
    if (isNop(next)) {
      return isMeeting(last) || last instanceof Loop && endsWithMeeting(last) ? last : null;
    }
    if (isNop(last)) {
      return isMeeting(next) || next instanceof Loop && beginsWithMeeting(next) ? next : null;
    }
    if (last instanceof Act(Op a, Sync before) && next instanceof Act(Op b, Sync after)) {
      Op op = join(a, b);
      return op == null ? null : new Act(op, before.or(after));
    }
    return null;
  }

  private Op join(Op last, Op next) {
    return switch (last) {
      case Op.Signal a when next instanceof Op.Signal b -> join(a, b);
      case Op.Wait a when next instanceof Op.Wait b -> join(a, b);
      case Op.Flush a when next instanceof Op.Flush b ->
          new Op.Flush(sorted(a.channels(), b.channels()));
      case Op.Acquire a when next instanceof Op.Acquire b ->
          new Op.Acquire(joined(a.semaphores(), b.semaphores()));
      case Op.Release a when next instanceof Op.Release b ->
          new Op.Release(joined(a.semaphores(), b.semaphores()));
      case Op.Get a when next instanceof Op.Get b -> join(a, b);
      case Op.Put a when next instanceof Op.Put b -> join(a, b);
      case Op.PutPackets a when next instanceof Op.PutPackets b -> join(a, b);
      case Op.ForwardPackets a when next instanceof Op.ForwardPackets b -> join(a, b);
      case Op.Reduce a -> join(a, next);
      case Op.ReducePackets a -> join(a, next);
      case Op.SwitchReduce a when next instanceof Op.SwitchStore b -> join(a, b);
      default -> null;
    };
  }

  private static Op join(Op.Signal a, Op.Signal b) {
    return a.type() == b.type()
            && a.ordering() == b.ordering()
            && disjoint(a.channels(), b.channels())
        ? new Op.Signal(a.type(), sorted(a.channels(), b.channels()), a.ordering())
        : null;
  }

  private static Op join(Op.Wait a, Op.Wait b) {
    return a.type() == b.type()
            && a.ordering() == b.ordering()
            && disjoint(a.channels(), b.channels())
        ? new Op.Wait(a.type(), sorted(a.channels(), b.channels()), a.ordering())
        : null;
  }

  private static Op join(Op.Get a, Op.Get b) {
    return sameSize(a.sources(), b.sources()) && a.group().equals(b.group())
        ? new Op.Get(
            joined(a.sources(), b.sources()),
            joined(a.destinations(), b.destinations()),
            joined(a.channels(), b.channels()),
            a.group())
        : null;
  }

  private static Op join(Op.Put a, Op.Put b) {
    return a.type() == b.type()
            && a.completion() == b.completion()
            && sameSize(a.sources(), b.sources())
            && a.group().equals(b.group())
        ? new Op.Put(
            a.type(),
            joined(a.sources(), b.sources()),
            joined(a.destinations(), b.destinations()),
            joined(a.channels(), b.channels()),
            a.completion(),
            a.group())
        : null;
  }

  private static Op join(Op.PutPackets a, Op.PutPackets b) {
    return a.type() == b.type() && sameSize(a.sources(), b.sources()) && a.group().equals(b.group())
        ? new Op.PutPackets(
            a.type(),
            joined(a.sources(), b.sources()),
            joined(a.destinations(), b.destinations()),
            joined(a.channels(), b.channels()),
            a.group())
        : null;
  }

  private static Op join(Op.ForwardPackets a, Op.ForwardPackets b) {
    return a.type() == b.type() && a.source().equals(b.source()) && a.group().equals(b.group())
        ? new Op.ForwardPackets(
            a.type(),
            a.source(),
            joined(a.destinations(), b.destinations()),
            joined(a.channels(), b.channels()),
            a.group())
        : null;
  }

  /** More operands, or one more rank that the result goes to. */
  private static Op join(Op.Reduce a, Op next) {
    return switch (next) {
      case Op.Reduce b
          when a.remoteDestinations().isEmpty()
              && b.remoteDestinations().isEmpty()
              && a.remoteSources().isEmpty() == b.remoteSources().isEmpty()
              && a.sources().getFirst().equals(b.sources().getFirst())
              && a.destination().equals(b.destination())
              && a.reduction().equals(b.reduction())
              && a.group().equals(b.group()) ->
          new Op.Reduce(
              a.reduction(),
              joined(a.sources(), b.sources().subList(1, b.sources().size())),
              joined(a.remoteSources(), b.remoteSources()),
              a.destination(),
              List.of(),
              a.group());
      case Op.Put b
          when b.type() == ChannelType.MEMORY
              && b.sources().getFirst().equals(a.destination())
              && a.group().equals(b.group()) ->
          new Op.Reduce(
              a.reduction(),
              a.sources(),
              a.remoteSources(),
              a.destination(),
              joined(a.remoteDestinations(), b.destinations()),
              a.group());
      default -> null;
    };
  }

  /** More operands, a copy of the result as packets, or one more rank that it goes to. */
  private static Op join(Op.ReducePackets a, Op next) {
    boolean plain = a.packetCopies().isEmpty() && a.remoteDestinations().isEmpty();
    return switch (next) {
      case Op.ReducePackets b
          when plain
              && b.packetCopies().isEmpty()
              && b.remoteDestinations().isEmpty()
              && a.source().equals(b.source())
              && a.destination().equals(b.destination())
              && a.reduction().equals(b.reduction())
              && a.group().equals(b.group()) ->
          reduction(a, joined(a.packets(), b.packets()), List.of(), List.of());
      case Op.Copy b
          when plain
              && b.packing() == Packing.PACK
              && b.source().equals(a.destination())
              && a.group().equals(b.group()) ->
          reduction(a, a.packets(), List.of(b.destination()), List.of());
      case Op.PutPackets b
          when b.type() == ChannelType.MEMORY
              && b.sources().getFirst().equals(a.destination())
              && a.group().equals(b.group()) ->
          reduction(
              a, a.packets(), a.packetCopies(), joined(a.remoteDestinations(), b.destinations()));
      case Op.ForwardPackets b
          when b.type() == ChannelType.MEMORY
              && a.packetCopies().contains(b.source())
              && a.group().equals(b.group()) ->
          reduction(
              a, a.packets(), a.packetCopies(), joined(a.remoteDestinations(), b.destinations()));
      default -> null;
    };
  }

  private static Op reduction(
      Op.ReducePackets like,
      List<Chunk.Local> packets,
      List<Chunk.Local> copies,
      List<Chunk.Remote> remotes) {
    return new Op.ReducePackets(
        like.reduction(),
        like.source(),
        packets,
        like.destination(),
        copies,
        remotes,
        like.group());
  }

  private Op join(Op.SwitchReduce a, Op.SwitchStore b) {
    return b.form() == Op.Form.DATA
            && a.chunks() == b.destination().chunks()
            && a.destination().equals(b.source())
            && a.source().ref() == b.destination().ref()
            && a.group().equals(b.group())
            && mayVanish(a, b.destination())
        ? new Op.SwitchReduceStore(a.reduction(), a.source(), b.destination(), a.group())
        : null;
  }

  /**
   * Whether the reduced chunk need not be stored for itself: it is where the store puts it anyway,
   * or it is scratch that only the store reads.
   */
  private boolean mayVanish(Op.SwitchReduce reduce, Chunk.Switch stored) {
    Chunk.Local chunk = reduce.destination();
    boolean sameMemory =
        chunk.buffer() == reduce.buffer()
            || inPlace
                && chunk.buffer() != BufferType.SCRATCH
                && reduce.buffer() != BufferType.SCRATCH;
    return sameMemory && chunk.index() == stored.index()
        || chunk.buffer() == BufferType.SCRATCH && isReadOnce.test(chunk);
  }

  private static boolean isNop(Step step) {
    return step instanceof Act(Op.Nop _, _);
  }

  private static boolean isMeeting(Step step) {
    return step instanceof Act(Op op, _) && (op instanceof Op.Nop || op instanceof Op.Barrier);
  }

  private static boolean beginsWithMeeting(Step step) {
    return switch (step) {
      case Act act -> isMeeting(act) || act.sync().before();
      case Loop loop -> !loop.steps().isEmpty() && beginsWithMeeting(loop.steps().getFirst());
    };
  }

  /**
   * A loop that ends with a bare nop or barrier is not looked into: MSCCL++ keeps both meetings.
   */
  private static boolean endsWithMeeting(Step step) {
    return switch (step) {
      case Act act -> isMeeting(act);
      case Loop loop ->
          !loop.steps().isEmpty()
              && loop.steps().getLast() instanceof Act(_, Sync sync)
              && sync.after();
    };
  }

  private static Step withoutAfter(Step step) {
    return step instanceof Act(Op op, Sync sync) ? new Act(op, sync.withoutAfter()) : step;
  }

  private static Step withoutBefore(Step step) {
    return step instanceof Act(Op op, Sync sync) ? new Act(op, sync.withoutBefore()) : step;
  }

  private static boolean sameSize(List<? extends Chunk> a, List<? extends Chunk> b) {
    return a.getFirst().chunks() == b.getFirst().chunks();
  }

  private static boolean disjoint(List<Integer> a, List<Integer> b) {
    return a.stream().noneMatch(b::contains);
  }

  private static List<Integer> sorted(List<Integer> a, List<Integer> b) {
    return List.copyOf(new TreeSet<>(joined(a, b)));
  }

  private static <T> List<T> joined(List<T> a, List<T> b) {
    List<T> both = new ArrayList<>(a);
    both.addAll(b);
    return both;
  }
}
