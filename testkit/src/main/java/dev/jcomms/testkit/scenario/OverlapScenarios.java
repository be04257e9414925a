package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.ReduceOp;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.Capability;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import dev.jcomms.testkit.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Inputs that lie where outputs do. A rank has both in one stretch of memory: outputs must become
 * what they would from inputs elsewhere, and what is no output must stay as it is.
 */
final class OverlapScenarios {
  private static final List<DType> DTYPES = List.of(DType.F32, DType.BF16, DType.I64, DType.U8);

  /** The input is one section, the output has a section of every rank. */
  private static final Set<Class<? extends Collective>> GATHERS =
      Set.of(
          Collective.AllGather.class,
          Collective.AllGatherV.class,
          Collective.AllGatherSingle.class,
          Collective.Gather.class,
          Collective.GatherSingle.class);

  /** The input has a section for every rank, the output is one section. */
  private static final Set<Class<? extends Collective>> SCATTERS =
      Set.of(
          Collective.ReduceScatter.class,
          Collective.ReduceScatterV.class,
          Collective.ReduceScatterSingle.class,
          Collective.Scatter.class);

  /** Input and output have a section for every rank. */
  private static final Set<Class<? extends Collective>> EXCHANGES =
      Set.of(
          Collective.AllReduce.class,
          Collective.AllToAll.class,
          Collective.AllToAllSingle.class,
          Collective.AllToAllVSingle.class);

  private OverlapScenarios() {}

  static Stream<Scenario> all() {
    Stream<Scenario> collectives =
        Collective.kinds().stream()
            .filter(kind -> GATHERS.contains(kind) || SCATTERS.contains(kind) || isExchange(kind))
            .flatMap(kind -> DTYPES.stream().flatMap(dtype -> of(kind, dtype)));
    Stream<Scenario> batches =
        DTYPES.stream()
            .map(
                dtype ->
                    new Scenario(
                        "send_recv_batch/sends what it receives into, " + dtype,
                        Needs.ops(Collective.SendRecvBatch.class).and(dtype).ranks(2),
                        rank -> batch(rank, dtype)));
    return Stream.concat(collectives, batches);
  }

  private static boolean isExchange(Class<? extends Collective> kind) {
    return EXCHANGES.contains(kind);
  }

  private static Stream<Scenario> of(Class<? extends Collective> kind, DType dtype) {
    String name = Collective.nameOf(kind);
    Needs needs = Needs.ops(kind).and(dtype);
    Scenario inPlace =
        new Scenario(
            name + "/works in place, " + dtype,
            needs,
            rank -> {
              for (long count : counts(rank, dtype)) {
                run(new Call(rank, kind, dtype, count), Place.OWN, Trial.ORDINARY);
              }
            });
    Scenario anywhere =
        new Scenario(
            name + "/inputs may overlap outputs, " + dtype,
            needs,
            rank -> {
              for (long count : counts(rank, dtype)) {
                everywhere(new Call(rank, kind, dtype, count), Trial.ORDINARY);
              }
            });
    Scenario symmetric =
        new Scenario(
            "symmetric/inputs of " + name + " may overlap outputs",
            Needs.capability(Capability.SYMMETRIC).and(kind).and(dtype).onHost(),
            rank -> {
              for (long count : counts(rank, dtype)) {
                Call call = new Call(rank, kind, dtype, count);
                Tensor memory = rank.comm().symmetric(dtype, Shape.of(call.mostMemory()));
                everywhere(call, (_, elements) -> memory.narrow(0, 0, elements));
              }
            });
    return dtype == DType.F32
        ? Stream.of(inPlace, anywhere, symmetric)
        : Stream.of(inPlace, anywhere);
  }

  /** Elements of a section: few, some KiB in all, and in one dtype more than a MiB in all. */
  private static List<Long> counts(Rank rank, DType dtype) {
    List<Long> counts = new ArrayList<>(List.of(0L, 5L, 3000L / rank.size()));
    if (dtype == DType.F32 || rank.subject().tier() == Tier.FULL) {
      counts.add(300_000L / rank.size());
    }
    if (dtype == DType.F32 && rank.subject().tier() == Tier.FULL) {
      counts.add(1_500_000L / rank.size());
    }
    return counts;
  }

  /** Where input and output lie to each other. */
  private enum Place {
    /** The smaller is this rank's own section of the larger, or both are the same. */
    OWN,
    /** The smaller is the next rank's section, or the output is ahead by an element. */
    NEXT,
    /** Half a section further on than in place. */
    LATER,
    /** Half a section before. */
    EARLIER,
    APART;

    /** Where the smaller begins, from the beginning of the larger. */
    long offset(Call call) {
      int me = call.rank().number();
      boolean isExchange = isExchange(call.kind());
      long own = isExchange ? 0 : call.start(me);
      long half = (call.length(me) + 1) / 2;
      return switch (this) {
        case OWN -> own;
        case NEXT -> isExchange ? -1 : call.start(call.rank().next());
        case LATER -> own + half;
        case EARLIER -> own - half;
        case APART -> call.start(call.rank().size());
      };
    }
  }

  /** Each rank has a place of its own, of which others need not know; then all have one alike. */
  private static void everywhere(Call call, Trial.Memory memory) {
    Place[] places = Place.values();
    run(call, places[call.rank().number() % places.length], memory);
    if (call.count() > 3000 && call.rank().subject().tier() == Tier.QUICK) {
      return;
    }
    run(call, places[(call.rank().number() + 1) % places.length], memory);
    for (Place place : List.of(Place.NEXT, Place.LATER, Place.EARLIER)) {
      run(call, place, memory);
    }
  }

  /** One operation on one rank: sections, and what is in them before and afterwards. */
  private record Call(
      Rank rank, Class<? extends Collective> kind, DType dtype, long count, long[] starts) {

    Call(Rank rank, Class<? extends Collective> kind, DType dtype, long count) {
      this(rank, kind, dtype, count, new long[rank.size() + 1]);
      for (int r = 0; r < rank.size(); r++) {
        starts[r + 1] = starts[r] + length(r);
      }
    }

    /** The elements of a section. */
    long length(int section) {
      return switch (kind.getSimpleName()) {
        case "AllGatherV", "ReduceScatterV" -> count + section;
        case "AllToAll", "AllToAllVSingle" -> count + section + rank.number();
        default -> count;
      };
    }

    long start(int section) {
      return starts[section];
    }

    /** Enough for any place, and the same on all ranks. */
    long mostMemory() {
      return 3 * rank.size() * (count + 2L * rank.size()) + 100;
    }

    int root() {
      return (int) (count % rank.size());
    }

    /** Whether this rank's output is written. */
    boolean writes() {
      return rank.number() == root()
          || kind != Collective.Gather.class && kind != Collective.GatherSingle.class;
    }

    boolean isReduction() {
      return Collective.Reduction.class.isAssignableFrom(kind);
    }

    double in(int section, long i) {
      int me = rank.number();
      return isReduction()
          ? Terms.of(dtype, ReduceOp.SUM, rank.size(), me, section, i)
          : GATHERS.contains(kind)
              ? Values.of(dtype, section, TransportScenarios.ALL, i)
              : Values.of(dtype, me, section, i);
    }

    double out(int section, long i) {
      int me = rank.number();
      return isReduction()
          ? Terms.expected(dtype, ReduceOp.SUM, rank.size(), section, i)
          : GATHERS.contains(kind)
              ? Values.of(dtype, section, TransportScenarios.ALL, i)
              : Values.of(dtype, kind == Collective.Scatter.class ? root() : section, me, i);
    }

    Collective of(Tensor output, Tensor input) {
      return switch (kind.getSimpleName()) {
        case "AllGather" -> new Collective.AllGather(sections(output), input);
        case "AllGatherV" -> new Collective.AllGatherV(sections(output), input);
        case "AllGatherSingle" -> new Collective.AllGatherSingle(output, input);
        case "Gather" -> new Collective.Gather(sections(output), input, root());
        case "GatherSingle" -> new Collective.GatherSingle(output, input, root());
        case "ReduceScatter" -> new Collective.ReduceScatter(output, sections(input), ReduceOp.SUM);
        case "ReduceScatterV" ->
            new Collective.ReduceScatterV(output, sections(input), ReduceOp.SUM);
        case "ReduceScatterSingle" ->
            new Collective.ReduceScatterSingle(output, input, ReduceOp.SUM);
        case "Scatter" -> new Collective.Scatter(output, sections(input), root());
        case "AllReduce" -> new Collective.AllReduce(output, input, ReduceOp.SUM);
        case "AllToAll" -> new Collective.AllToAll(sections(output), sections(input));
        case "AllToAllSingle" -> new Collective.AllToAllSingle(output, input);
        case "AllToAllVSingle" -> {
          List<Long> splits = new ArrayList<>();
          for (int r = 0; r < rank.size(); r++) {
            splits.add(length(r));
          }
          yield new Collective.AllToAllVSingle(output, input, splits, splits);
        }
        default -> throw new AssertionError(kind);
      };
    }

    private List<Tensor> sections(Tensor whole) {
      List<Tensor> sections = new ArrayList<>();
      for (int r = 0; r < rank.size(); r++) {
        sections.add(whole.narrow(0, start(r), length(r)));
      }
      return sections;
    }
  }

  /** Some sections of a call, in a row, somewhere in memory. */
  private record Row(Call call, int first, int last, long at) {
    private interface Content {
      double of(int section, long i);
    }

    long length() {
      return call.start(last + 1) - call.start(first);
    }

    boolean holds(long position) {
      return position >= at && position < at + length();
    }

    double content(long position, Content content) {
      long i = position - at + call.start(first);
      int section = first;
      while (i >= call.start(section + 1)) {
        section++;
      }
      return content.of(section, i - call.start(section));
    }

    Tensor in(Tensor memory) {
      return memory.narrow(0, at, length());
    }
  }

  private static void run(Call call, Place place, Trial.Memory memory) {
    int me = call.rank().number();
    int last = call.rank().size() - 1;
    long offset = place.offset(call);
    long wholeAt = Math.max(0, -offset);
    Row whole = new Row(call, 0, last, wholeAt);
    Row other =
        isExchange(call.kind())
            ? new Row(call, 0, last, wholeAt + offset)
            : new Row(call, me, me, wholeAt + offset);
    boolean isGather = GATHERS.contains(call.kind());
    Row input = isGather ? other : whole;
    Row output = isGather ? whole : other;
    Trial t =
        new Trial(
            call.rank(),
            "%s of %d x %s a rank, tensors %s"
                .formatted(
                    Collective.nameOf(call.kind()),
                    call.count(),
                    call.dtype(),
                    place == Place.OWN ? "in place" : "%+d elements off".formatted(offset)),
            memory);
    long elements = Math.max(whole.at() + whole.length(), other.at() + other.length());
    Tensor all =
        t.inPlace(
            "memory",
            call.dtype(),
            elements,
            i -> before(call, input, i),
            i ->
                call.writes() && output.holds(i)
                    ? output.content(i, call::out)
                    : before(call, input, i),
            _ -> 0);
    t.run(call.of(output.in(all), input.in(all)));
  }

  private static double before(Call call, Row input, long i) {
    return input.holds(i)
        ? input.content(i, call::in)
        : Values.of(call.dtype(), call.rank().number(), call.rank().size(), i);
  }

  /** To the next rank goes what was there before anything came; the receive may be named first. */
  private static void batch(Rank rank, DType dtype) {
    for (long count : counts(rank, dtype)) {
      for (boolean sendFirst : new boolean[] {true, false}) {
        Trial t =
            new Trial(
                rank,
                "a batch that %s %d x %s in one tensor"
                    .formatted(
                        sendFirst ? "sends and receives" : "receives and sends", count, dtype));
        Tensor tensor =
            t.inPlace(
                "tensor",
                dtype,
                count,
                i -> Values.of(dtype, rank.number(), rank.next(), i),
                i -> Values.of(dtype, rank.previous(), rank.number(), i),
                _ -> 0);
        Collective.Send send = new Collective.Send(tensor, rank.next(), 0);
        Collective.Recv recv = new Collective.Recv(tensor, rank.previous(), 0);
        t.run(new Collective.SendRecvBatch(sendFirst ? List.of(send, recv) : List.of(recv, send)));
      }
    }
  }
}
