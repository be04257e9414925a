package dev.jcomms.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Views of views of views, drawn from a seed, against {@link Naive}. */
final class RandomViewsTest {
  private static final int CASES = 3000;

  /** A tensor and what it should hold; each element's value is its place in the storage. */
  private record Pair(Tensor tensor, Naive naive) {}

  @Test
  void viewsOfViewsHoldWhatIndexArithmeticSays() {
    int strided = 0;
    for (int seed = 0; seed < CASES; seed++) {
      Pair p = drawn(seed);
      Tensor t = p.tensor;
      Naive naive = p.naive;
      assertThat(t.shape().toArray()).as("seed %d", seed).isEqualTo(naive.sizes());
      assertThat(t.elements()).isEqualTo(naive.values().length);
      assertThat(t.bytes()).isEqualTo(naive.values().length * 8L);
      assertThat(t.toLongArray()).as("seed %d: %s", seed, t.facts()).isEqualTo(naive.values());
      for (int i = 0; i < naive.values().length; i++) {
        assertThat(t.getLong(naive.index(i))).as("seed %d", seed).isEqualTo(naive.values()[i]);
      }
      boolean inOrder =
          IntStream.range(1, naive.values().length)
              .allMatch(i -> naive.values()[i] == naive.values()[i - 1] + 1);
      assertThat(t.isContiguous()).as("seed %d: %s", seed, t.facts()).isEqualTo(inOrder);
      if (inOrder) {
        assertThat(Tensor.wrap(t.segment(), DType.I64, t.shape()).equal(t)).isTrue();
        assertThat(t.contiguous()).isSameAs(t);
      } else {
        strided++;
        assertThat(t.contiguous().isContiguous()).isTrue();
      }
      assertThat(t.copy().equal(t)).as("seed %d", seed).isTrue();
      assertThat(t.reshape(-1 * Math.min(1, t.elements())).toLongArray()).isEqualTo(naive.values());
      assertThat(t.to(DType.F64).toDoubleArray())
          .as("seed %d", seed)
          .isEqualTo(Arrays.stream(naive.values()).asDoubleStream().toArray());
    }
    assertThat(strided).isGreaterThan(CASES / 5); // otherwise the draw has lost its point
  }

  @Test
  void writesThroughAViewLandInTheBaseAndNowhereElse() {
    for (int seed = 0; seed < CASES; seed++) {
      Pair p = drawn(seed);
      Tensor base = Tensor.wrap(new long[(int) (p.tensor.storage().bytes() / 8)]);
      Tensor view =
          Tensor.over(
              base.storage(), DType.I64, p.tensor.shape(), p.tensor.strides(), p.tensor.offset());
      long[] expected = new long[(int) base.elements()];
      for (long place : p.naive.values()) {
        expected[(int) place] = 7;
      }
      view.fill(7);
      assertThat(base.toLongArray()).as("seed %d: %s", seed, view.facts()).isEqualTo(expected);
      if (view.elements() > 0) {
        long last = view.elements() - 1;
        view.setLong(-1, p.naive.index(last));
        expected[(int) p.naive.values()[(int) last]] = -1;
        assertThat(base.toLongArray()).as("seed %d", seed).isEqualTo(expected);
      }
    }
  }

  private static Pair drawn(int seed) {
    Random random = new Random(seed);
    long[] sizes = new long[random.nextInt(5)];
    Arrays.setAll(sizes, d -> random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(4));
    Naive naive = Naive.arange(sizes);
    Pair p = new Pair(Tensor.wrap(naive.values().clone(), Shape.of(sizes)), naive);
    for (int steps = 1 + random.nextInt(6); steps > 0; steps--) {
      p = step(p, random);
    }
    return p;
  }

  private static Pair step(Pair p, Random random) {
    Tensor t = p.tensor;
    Naive n = p.naive;
    long[] sizes = n.sizes();
    int dims = sizes.length;
    int dim = dims == 0 ? 0 : random.nextInt(dims);
    int named = random.nextBoolean() ? dim : dim - dims; // the same dimension from the other end
    switch (dims == 0 ? 5 + random.nextInt(2) : random.nextInt(8)) {
      case 0 -> {
        long first = random.nextLong(sizes[dim] + 1);
        long length = random.nextLong(sizes[dim] - first + 1);
        return new Pair(t.narrow(named, first, length), n.slice(dim, first, length, 1));
      }
      case 1 -> {
        long first = random.nextLong(sizes[dim] + 1);
        long end = first + random.nextLong(sizes[dim] - first + 1);
        long step = 1 + random.nextLong(3);
        return new Pair(
            t.slice(named, first, end, step),
            n.slice(dim, first, (end - first + step - 1) / step, step));
      }
      case 2 -> {
        if (sizes[dim] == 0) {
          return p;
        }
        long i = random.nextLong(sizes[dim]);
        return new Pair(
            t.select(named, random.nextBoolean() ? i : i - sizes[dim]), n.select(dim, i));
      }
      case 3 -> {
        int other = random.nextInt(dims);
        int[] order = IntStream.range(0, dims).toArray();
        order[dim] = other;
        order[other] = dim;
        return new Pair(t.transpose(named, other), n.permute(order));
      }
      case 4 -> {
        int[] order = IntStream.range(0, dims).toArray();
        for (int d = dims - 1; d > 0; d--) {
          int other = random.nextInt(d + 1);
          int kept = order[d];
          order[d] = order[other];
          order[other] = kept;
        }
        return new Pair(t.permute(order), n.permute(order));
      }
      case 5 -> {
        int at = random.nextInt(dims + 1);
        return new Pair(
            t.unsqueeze(random.nextBoolean() ? at : at - dims - 1),
            n.reshape(Naive.with(sizes, at, 1)));
      }
      case 6 -> {
        long[] wider = Naive.with(sizes, 0, 1 + random.nextInt(2));
        for (int d = 1; d < wider.length; d++) {
          wider[d] = wider[d] == 1 ? 1 + random.nextInt(2) : wider[d];
        }
        return new Pair(t.expand(wider), n.expand(wider));
      }
      default -> {
        boolean ones = sizes[dim] == 1;
        return new Pair(t.squeeze(named), ones ? n.reshape(Naive.without(sizes, dim)) : n);
      }
    }
  }
}
