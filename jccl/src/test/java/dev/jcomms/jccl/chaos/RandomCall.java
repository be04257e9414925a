package dev.jcomms.jccl.chaos;

import dev.jcomms.Collective;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * An operation on one rank, made from a seed that all ranks share, and how to judge its result.
 * Where the tensors lie is each rank's own choice.
 */
final class RandomCall {
  private static final List<String> KINDS =
      List.of(
          "all_reduce",
          "broadcast",
          "reduce",
          "all_gather",
          "all_gather_v",
          "all_gather_single",
          "reduce_scatter",
          "reduce_scatter_v",
          "reduce_scatter_single",
          "all_to_all",
          "all_to_all_single",
          "all_to_all_v_single",
          "scatter",
          "gather",
          "gather_single",
          "barrier",
          "batch");

  /** Keeps the sections of different ranks apart. */
  private static final long FAR = 1_000_003;

  private final long seed;
  private final long content;
  private final int size;
  private final int rank;
  private final Map<DType, Tensor> symmetric;
  private final Map<DType, Long> used = new HashMap<>();
  private final Random own;
  private final List<Runnable> checks = new ArrayList<>();
  private final String kind;
  private final DType dtype;
  private final long elements;
  private final int root;
  private final Reduction reduction;
  private final Random rest;
  private final Collective op;

  /**
   * @param seed of what is called, the same for calls that are alike
   * @param content of what is in the tensors
   * @param largest how many elements a tensor has at most
   * @param symmetric memory that nothing else uses now
   * @param odd whether this rank brings another number of elements than the others
   */
  RandomCall(
      long seed,
      long content,
      int size,
      int rank,
      int largest,
      Map<DType, Tensor> symmetric,
      boolean odd) {
    this.seed = seed;
    this.content = content;
    this.size = size;
    this.rank = rank;
    this.symmetric = symmetric;
    own = new Random(content * 31 + rank);
    rest = new Random(seed);
    kind = KINDS.get(rest.nextInt(KINDS.size()));
    dtype = DType.values()[rest.nextInt(kind.contains("reduce") ? 10 : DType.values().length)];
    elements = elements(rest, largest) + (odd ? 1 : 0);
    root = rest.nextInt(size);
    reduction =
        kind.contains("reduce")
            ? new Reduction(dtype, Reduction.anyOp(rest, dtype), size, content)
            : null;
    op = make();
  }

  /** Whether ranks that bring different numbers of elements disagree. */
  static boolean comparesElements(long seed) {
    String kind = KINDS.get(new Random(seed).nextInt(KINDS.size()));
    // Elsewhere one more may be the same: a part of it is what counts.
    return !kind.matches("barrier|batch|all_to_all.*|.*_v");
  }

  /** Mostly few; now and then enough for every way that an operation can take. */
  static long elements(Random random, int largest) {
    int[] most = {3, 70, 70, 70, 3000, 3000, 20_000, 70_000, 300_000, 1_500_000};
    return Math.min(largest, random.nextInt(most[random.nextInt(most.length)]));
  }

  /** What to call; null if this rank has no part in it. */
  Collective op() {
    return op;
  }

  /** Looks at every output, and that no input has changed. */
  void check() {
    checks.forEach(Runnable::run);
  }

  @Override
  public String toString() {
    return "%s of %d x %s%s, root %d, rank %d of %d"
        .formatted(
            kind,
            elements,
            dtype,
            reduction == null ? "" : " " + reduction.op().opName(),
            root,
            rank,
            size);
  }

  private Collective make() {
    return switch (kind) {
      case "all_reduce" -> allReduce();
      case "reduce" -> reduce();
      case "broadcast" -> broadcast();
      case "all_gather" -> new Collective.AllGather(gathered(_ -> elements), mine(elements));
      case "all_gather_v" -> new Collective.AllGatherV(gathered(this::some), mine(some(rank)));
      case "all_gather_single" -> new Collective.AllGatherSingle(gathered(), mine(elements));
      case "gather" ->
          new Collective.Gather(
              rank == root ? gathered(_ -> elements) : List.of(), mine(elements), root);
      case "gather_single" ->
          new Collective.GatherSingle(rank == root ? gathered() : null, mine(elements), root);
      case "reduce_scatter" ->
          new Collective.ReduceScatter(reduced(elements), terms(_ -> elements), reduction.of(rank));
      case "reduce_scatter_v" ->
          new Collective.ReduceScatterV(reduced(some(rank)), terms(this::some), reduction.of(rank));
      case "reduce_scatter_single" -> reduceScatterSingle();
      case "all_to_all" ->
          new Collective.AllToAll(
              outputs(p -> between(p, rank), p -> i -> letter(p, rank, i)),
              inputs(p -> between(rank, p), p -> i -> letter(rank, p, i)));
      case "all_to_all_single" -> allToAllSingle();
      case "all_to_all_v_single" -> allToAllVSingle();
      case "scatter" ->
          new Collective.Scatter(
              output(elements, i -> letter(root, rank, i)),
              rank == root ? inputs(_ -> elements, p -> i -> letter(root, p, i)) : List.of(),
              root);
      case "barrier" -> new Collective.Barrier();
      case "batch" -> batch();
      default -> throw new AssertionError(kind);
    };
  }

  private Collective allReduce() {
    if (rest.nextBoolean()) {
      Tensor input = input(elements, i -> reduction.term(rank, i));
      return new Collective.AllReduce(
          output(elements, reduction::result), input, reduction.of(rank));
    }
    Tensor both = Elements.fill(tensor(elements), i -> reduction.term(rank, i));
    checks.add(() -> Elements.check(toString(), both, reduction::result));
    return new Collective.AllReduce(both, both, reduction.of(rank));
  }

  private Collective reduce() {
    Tensor both = Elements.fill(tensor(elements), i -> reduction.term(rank, i));
    checks.add(
        () ->
            Elements.check(
                toString(),
                both,
                i -> rank == root ? reduction.result(i) : reduction.term(rank, i)));
    return new Collective.Reduce(both, root, reduction.of(rank));
  }

  private Collective broadcast() {
    Tensor both = Elements.fill(tensor(elements), i -> rank == root ? letter(root, 0, i) : 3);
    checks.add(() -> Elements.check(toString(), both, i -> letter(root, 0, i)));
    return new Collective.Broadcast(both, root);
  }

  private Collective reduceScatterSingle() {
    Tensor input = input(elements * size, i -> reduction.term(rank, i));
    Tensor output = output(elements, i -> reduction.result(i + rank * elements));
    return new Collective.ReduceScatterSingle(output, input, reduction.of(rank));
  }

  private Collective allToAllSingle() {
    long each = elements / size;
    return new Collective.AllToAllSingle(
        output(each * size, i -> letter(i / each, rank, i % each)),
        input(each * size, i -> letter(rank, i / each, i % each)));
  }

  private Collective allToAllVSingle() {
    List<Long> out = IntStream.range(0, size).mapToObj(p -> between(p, rank)).toList();
    List<Long> in = IntStream.range(0, size).mapToObj(p -> between(rank, p)).toList();
    Tensor output =
        output(sum(out), i -> letter(section(out, i), rank, i - start(out, section(out, i))));
    Tensor input = input(sum(in), i -> letter(rank, section(in, i), i - start(in, section(in, i))));
    return new Collective.AllToAllVSingle(output, input, out, in);
  }

  /** Any messages between any two, some with tags, several between the same two. */
  private Collective batch() {
    List<Collective.PointToPoint> ops = new ArrayList<>();
    int messages = 1 + rest.nextInt(2 * size);
    for (int k = 0; k < messages; k++) {
      int number = k;
      int src = rest.nextInt(size);
      int dst = rest.nextInt(size);
      int tag = rest.nextInt(3);
      long length = elements(rest, (int) Math.min(100_000, elements + 1));
      if (src != dst && src == rank) {
        ops.add(new Collective.Send(input(length, i -> letter(number, 9, i)), dst, tag));
      } else if (src != dst && dst == rank) {
        ops.add(new Collective.Recv(output(length, i -> letter(number, 9, i)), src, tag));
      }
    }
    return ops.isEmpty() ? null : new Collective.SendRecvBatch(ops);
  }

  /** What one rank has for another at a place: fits all dtypes. */
  private long letter(long from, long to, long i) {
    return Elements.mix(content, from, to, i) & 0x7f;
  }

  /** A number of elements that depends on the rank; none for some. */
  private long some(int of) {
    long lot = Elements.mix(seed, of, 1, 2);
    return (lot & 3) == 0 ? 0 : elements / 4 * (lot & 3) / 2 + (lot >>> 8 & 7);
  }

  private long between(int from, int to) {
    long lot = Elements.mix(seed, from, to, 3);
    return (lot & 3) == 0 ? 0 : elements / size / 4 * (lot & 3) + (lot >>> 8 & 7);
  }

  private static long sum(List<Long> lengths) {
    return start(lengths, lengths.size());
  }

  private static long start(List<Long> lengths, int section) {
    return lengths.subList(0, section).stream().mapToLong(Long::longValue).sum();
  }

  private static int section(List<Long> lengths, long i) {
    int section = 0;
    for (long end = lengths.getFirst(); end <= i; end += lengths.get(section)) {
      section++;
    }
    return section;
  }

  private Tensor mine(long length) {
    return input(length, i -> letter(rank, 0, i));
  }

  private List<Tensor> gathered(IntToLongFunction lengths) {
    return outputs(lengths, p -> i -> letter(p, 0, i));
  }

  private Tensor gathered() {
    return output(elements * size, i -> letter(i / elements, 0, i % elements));
  }

  private List<Tensor> terms(IntToLongFunction lengths) {
    return inputs(lengths, p -> i -> reduction.term(rank, i + p * FAR));
  }

  private Tensor reduced(long length) {
    return output(length, i -> reduction.result(i + rank * FAR));
  }

  private List<Tensor> inputs(IntToLongFunction lengths, IntFunction<Elements.Numbers> content) {
    return IntStream.range(0, size)
        .mapToObj(p -> input(lengths.applyAsLong(p), content.apply(p)))
        .toList();
  }

  private List<Tensor> outputs(IntToLongFunction lengths, IntFunction<Elements.Numbers> content) {
    return IntStream.range(0, size)
        .mapToObj(p -> output(lengths.applyAsLong(p), content.apply(p)))
        .toList();
  }

  private Tensor input(long length, Elements.Numbers content) {
    Tensor tensor = Elements.fill(tensor(length), content);
    checks.add(() -> Elements.check("an input of " + this, tensor, content));
    return tensor;
  }

  private Tensor output(long length, Elements.Numbers content) {
    Tensor tensor = Elements.fill(tensor(length), _ -> 77);
    checks.add(() -> Elements.check(toString(), tensor, content));
    return tensor;
  }

  /** In Java's memory, the system's, a larger tensor's or what all ranks share. */
  private Tensor tensor(long length) {
    Tensor shared = symmetric.get(dtype);
    long at = used.getOrDefault(dtype, 0L);
    return switch (own.nextInt(5)) {
      case 0 ->
          Tensor.wrap(
              MemorySegment.ofArray(new byte[(int) (length * dtype.bytes())]),
              dtype,
              Shape.of(length));
      case 1 -> Tensor.zeros(dtype, Shape.of(length + 9)).narrow(0, own.nextInt(9), length);
      case 2 -> {
        long bytes = length * dtype.bytes();
        yield Tensor.wrap(Arena.ofAuto().allocate(bytes, 8), dtype, Shape.of(length));
      }
      default -> {
        if (shared == null || at + length > shared.elements()) {
          yield Tensor.zeros(dtype, Shape.of(length));
        }
        used.put(dtype, at + length);
        yield shared.narrow(0, at, length);
      }
    };
  }
}
