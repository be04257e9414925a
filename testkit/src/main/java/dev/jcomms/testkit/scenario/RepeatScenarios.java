package dev.jcomms.testkit.scenario;

import dev.jcomms.Collective;
import dev.jcomms.Comm;
import dev.jcomms.OpOptions;
import dev.jcomms.ReduceOp;
import dev.jcomms.Work;
import dev.jcomms.store.PrefixStore;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.testkit.ConformanceError;
import dev.jcomms.testkit.Needs;
import dev.jcomms.testkit.Rank;
import dev.jcomms.testkit.Scenario;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A reduction gives the same bits on all ranks and every time: whoever comes last to it, and on a
 * communicator made anew. Terms have many magnitudes, so that every order of adding them rounds
 * differently.
 */
final class RepeatScenarios {
  private static final int NOBODY = -1;

  private RepeatScenarios() {}

  static Stream<Scenario> all() {
    return Stream.of(
            Collective.AllReduce.class,
            Collective.Reduce.class,
            Collective.ReduceScatterSingle.class)
        .flatMap(
            kind ->
                Stream.of(DType.F64, DType.F32, DType.F16, DType.BF16)
                    .map(
                        dtype ->
                            new Scenario(
                                Collective.nameOf(kind)
                                    + "/the result of "
                                    + dtype
                                    + (kind == Collective.AllReduce.class
                                        ? " has the same bits on all ranks, every time"
                                        : " has the same bits every time"),
                                Needs.ops(kind).and(dtype),
                                rank -> sameBits(rank, kind, dtype))));
  }

  private static void sameBits(Rank rank, Class<? extends Collective> kind, DType dtype) {
    Map<Long, byte[]> first = new HashMap<>();
    int time = 0;
    try (Comm again = anew(rank)) {
      for (Comm comm : List.of(rank.comm(), again)) {
        for (int late : new int[] {NOBODY, 0, rank.size() - 1}) {
          for (long count :
              dtype == DType.F32 ? List.of(7L, 4099L, 200_003L) : List.of(7L, 4099L)) {
            Call call = new Call(rank, kind, dtype, count, time++);
            byte[] bytes = call.result(comm, late);
            byte[] before = first.putIfAbsent(count, bytes);
            if (before == null) {
              call.look(bytes);
            } else {
              call.same(bytes, "the first time it was ", before);
            }
          }
        }
      }
      rank.meet();
    }
  }

  /** A communicator of the same ranks, as another run would have it. */
  private static Comm anew(Rank rank) {
    Comm.Builder builder =
        Comm.newBuilder(rank.subject().backend(), rank.subject().device())
            .ranks(rank.number(), rank.size())
            .store(PrefixStore.of("again", rank.store()))
            .timeout(rank.patience())
            .initTimeout(rank.patience());
    rank.subject().hints().forEach(builder::hint);
    return builder.build();
  }

  /** A sum of so many elements, of which a reduce_scatter leaves each rank a section. */
  private record Call(
      Rank rank, Class<? extends Collective> kind, DType dtype, long count, int time) {
    private boolean isScatter() {
      return kind == Collective.ReduceScatterSingle.class;
    }

    private long section() {
      return count / rank.size();
    }

    /** Where the result begins among the terms. */
    private long start() {
      return isScatter() ? rank.number() * section() : 0;
    }

    /** What this rank has afterwards; nothing, where the result is for another. */
    byte[] result(Comm comm, int late) {
      int root = rank.size() - 1;
      long elements = isScatter() ? section() * rank.size() : count;
      Tensor input = rank.onDevice(terms(rank.number(), 0, elements));
      Tensor output = isScatter() ? rank.onDevice(Tensor.zeros(dtype, Shape.of(section()))) : input;
      run(
          comm,
          late,
          isScatter()
              ? new Collective.ReduceScatterSingle(output, input, ReduceOp.SUM)
              : kind == Collective.Reduce.class
                  ? new Collective.Reduce(input, root, ReduceOp.SUM)
                  : new Collective.AllReduce(input, input, ReduceOp.SUM));
      return kind == Collective.Reduce.class && rank.number() != root
          ? new byte[0]
          : Trial.bytes(rank.onHost(output).contiguous());
    }

    /** One rank calls when all the others have. */
    private void run(Comm comm, int late, Collective op) {
      if (late == NOBODY) {
        comm.run(op, OpOptions.DEFAULT);
        return;
      }
      List<String> others =
          IntStream.range(0, rank.size())
              .filter(r -> r != late)
              .mapToObj(r -> "called/" + time + "/" + r)
              .toList();
      if (rank.number() == late) {
        rank.store().await(others, rank.patience());
        comm.run(op, OpOptions.DEFAULT);
      } else {
        Work work = comm.start(op, OpOptions.DEFAULT);
        rank.store().set(others.get(rank.number() - (rank.number() > late ? 1 : 0)), new byte[0]);
        work.await(rank.patience());
      }
    }

    /** The first result: near the sum, and what the others have. */
    void look(byte[] bytes) {
      double[] actual =
          Tensor.wrap(MemorySegment.ofArray(bytes), dtype, Shape.of(bytes.length / dtype.bytes()))
              .toDoubleArray();
      double[] sum = new double[actual.length];
      double[] magnitude = new double[actual.length];
      for (int r = 0; r < rank.size(); r++) {
        double[] terms = terms(r, start(), actual.length).toDoubleArray();
        for (int i = 0; i < actual.length; i++) {
          sum[i] += terms[i];
          magnitude[i] += Math.abs(terms[i]);
        }
      }
      for (int i = 0; i < actual.length; i++) {
        double slack = rank.subject().tolerance().of(dtype) * rank.size() * magnitude[i];
        if (!(Math.abs(actual[i] - sum[i]) <= slack)) {
          throw wrong("tensor[%d] is %s; it should be %s within %s", i, actual[i], sum[i], slack);
        }
      }
      if (kind == Collective.AllReduce.class) {
        List<byte[]> all = rank.exchange(bytes);
        for (int r = 0; r < all.size(); r++) {
          same(bytes, "rank " + r + " has ", all.get(r));
        }
      }
    }

    void same(byte[] mine, String who, byte[] theirs) {
      int at = Arrays.mismatch(mine, theirs);
      if (at >= 0) {
        int i = at / dtype.bytes();
        throw wrong("the bits of tensor[%d] are %s; %s%s", i, hex(mine, i), who, hex(theirs, i));
      }
    }

    private ConformanceError wrong(String fact, Object... values) {
      return new ConformanceError(
          "%s: %s sum of %d x %s of many magnitudes: %s"
              .formatted(rank, Collective.nameOf(kind), count, dtype, fact.formatted(values)));
    }

    private Tensor terms(int rank, long from, long elements) {
      double[] terms = new double[Math.toIntExact(elements)];
      Arrays.setAll(terms, i -> rough(rank, from + i));
      return Tensor.empty(dtype, Shape.of(elements)).copyFrom(Tensor.of(terms));
    }

    private String hex(byte[] bytes, int i) {
      StringBuilder text = new StringBuilder("0x");
      for (int b = dtype.bytes() - 1; b >= 0; b--) {
        text.append(String.format("%02x", bytes[i * dtype.bytes() + b]));
      }
      return text.toString();
    }
  }

  private static double rough(int rank, long i) {
    long h = Values.hash(rank, 3, i);
    double mantissa = 1 + (h >>> 12) * 0x1p-52;
    return ((h & 1) == 0 ? mantissa : -mantissa) * Math.scalb(1.0, Math.floorMod(h >> 3, 11) - 5);
  }
}
