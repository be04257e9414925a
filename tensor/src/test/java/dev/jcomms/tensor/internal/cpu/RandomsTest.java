package dev.jcomms.tensor.internal.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Generator;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class RandomsTest {
  private static final int MANY = 40_000;

  private static Generator seeded(long seed) {
    return new Generator(Device.CPU).manualSeed(seed);
  }

  private static Tensor empty(DType dtype) {
    return Tensor.empty(dtype, Shape.of(MANY));
  }

  @Test
  void theEngineGivesThePublishedBits() {
    long[] out = new long[2];
    Philox.fill(new Generator.State(0, 0), 0, out, 2);
    assertThat(out).containsExactly(0xe169c58d6627e8d5L, 0x9b00dbd8bc57ac4cL);
  }

  @Test
  void oneSeedIsOneSequenceWhateverTheThreadsAndTheCuts() {
    Tensor whole = Ops.uniform_(empty(DType.F32), 0, 1, seeded(5));
    assertThat(Ops.uniform_(empty(DType.F32), 0, 1, seeded(5)).equal(whole)).isTrue();
    assertThat(Ops.uniform_(empty(DType.F32), 0, 1, seeded(6)).equal(whole)).isFalse();
    Generator generator = seeded(5);
    Generator.State start = generator.state();
    Tensor first = Ops.normal_(empty(DType.F32), 0, 1, generator);
    Tensor second = Ops.normal_(empty(DType.F32), 0, 1, generator);
    assertThat(first.equal(second)).isFalse();
    generator.restore(start);
    assertThat(Ops.normal_(empty(DType.F32), 0, 1, generator).equal(first)).isTrue();
    assertThat(generator.initialSeed()).isEqualTo(5);
  }

  @Test
  void aStridedTensorGetsTheNumbersOfAContiguousOne() {
    Tensor plain = Ops.uniform_(Tensor.empty(Shape.of(6, 5)), 0, 1, seeded(1));
    for (Tensor layout : Arrangements.of(Tensor.empty(Shape.of(6, 5)))) {
      assertThat(Ops.uniform_(layout, 0, 1, seeded(1)).equal(plain)).isTrue();
    }
  }

  @Test
  void momentsAreThoseOfTheDistributions() {
    for (DType dtype : new DType[] {DType.F64, DType.F32, DType.F16, DType.BF16}) {
      moments(Ops.uniform_(empty(dtype), -1, 3, seeded(1)), 1, 16.0 / 12);
      moments(Ops.normal_(empty(dtype), 2, 3, seeded(2)), 2, 9);
      moments(Ops.exponential_(empty(dtype), 0.5, seeded(3)), 2, 4);
      moments(Ops.bernoulli_(empty(dtype), 0.25, seeded(4)), 0.25, 0.1875);
    }
    moments(Ops.random_(empty(DType.I64), -3, 4L, seeded(5)), 0, 4);
    moments(Ops.random_(empty(DType.U8), 0, null, seeded(5)), 127.5, 65535 / 12.0);
  }

  private static void moments(Tensor t, double mean, double variance) {
    double[] x = t.toDoubleArray();
    double average = Arrays.stream(x).average().orElseThrow();
    double spread =
        Arrays.stream(x).map(v -> (v - average) * (v - average)).average().orElseThrow();
    double error = 6 * Math.sqrt(variance / MANY) + Math.abs(mean) * 0.01;
    assertThat(average).isCloseTo(mean, within(error));
    assertThat(spread).isCloseTo(variance, within(0.08 * variance));
  }

  @Test
  void rangesAreHalfOpen() {
    double[] x = Ops.uniform_(empty(DType.F32), 2, 5, seeded(1)).toDoubleArray();
    assertThat(Arrays.stream(x).min().orElseThrow()).isGreaterThanOrEqualTo(2);
    assertThat(Arrays.stream(x).max().orElseThrow()).isLessThan(5);
    long[] n = Ops.random_(empty(DType.I32), -2, 3L, seeded(1)).toLongArray();
    assertThat(Arrays.stream(n).distinct().sorted().toArray()).containsExactly(-2, -1, 0, 1, 2);
  }

  @Test
  void aPermutationHasEveryNumberOnce() {
    for (long n : new long[] {0, 1, 2, 1000}) {
      long[] order = Ops.randperm(n, seeded(1), DType.I64, null).toLongArray();
      assertThat(Arrays.stream(order).sorted().toArray())
          .containsExactly(Tensor.arange(n).toLongArray());
    }
    assertThatThrownBy(() -> Ops.randperm(300, null, DType.U8, null)).hasMessageContaining("u8");
    assertThatThrownBy(() -> Ops.randperm(-1, null, DType.I64, null)).hasMessageContaining("-1");
  }

  @Test
  void samplesFollowTheirWeights() {
    Tensor weights = Tensor.of(1f, 0f, 3f);
    long[] drawn = Ops.multinomial(weights, MANY, true, seeded(1)).toLongArray();
    assertThat(Arrays.stream(drawn).filter(i -> i == 1).count()).isZero();
    assertThat(Arrays.stream(drawn).filter(i -> i == 2).count() / (double) MANY)
        .isCloseTo(0.75, within(0.02));
    long[] two = Ops.multinomial(weights, 2, false, seeded(1)).toLongArray();
    assertThat(Arrays.stream(two).sorted().toArray()).containsExactly(0, 2);
    assertThat(Ops.multinomial(Tensor.ones(Shape.of(4, 3)), 2, false, seeded(2)).shape())
        .isEqualTo(Shape.of(4, 2));
  }

  @Test
  void whatIsNoDistributionIsRefused() {
    Tensor x = Tensor.empty(Shape.of(2));
    assertThatThrownBy(() -> Ops.uniform_(x, 1, 0, null)).hasMessageContaining("above");
    assertThatThrownBy(() -> Ops.uniform_(x, Double.NaN, 0, null)).hasMessageContaining("range");
    assertThatThrownBy(() -> Ops.normal_(x, 0, -1, null)).hasMessageContaining("std=-1");
    assertThatThrownBy(() -> Ops.exponential_(x, 0, null)).hasMessageContaining("lambd");
    assertThatThrownBy(() -> Ops.bernoulli_(x, 1.5, null)).hasMessageContaining("p=1.5");
    assertThatThrownBy(() -> Ops.random_(x, 3, 3L, null)).hasMessageContaining("not below");
    assertThatThrownBy(() -> Ops.random_(x.to(DType.I8), 0, 200L, null)).hasMessageContaining("i8");
    assertThatThrownBy(() -> Ops.uniform_(x.to(DType.I32), 0, 1, null)).hasMessageContaining("i32");
    Tensor three = Tensor.ones(Shape.of(3));
    assertThatThrownBy(() -> Ops.multinomial(three, 4, false, null)).hasMessageContaining("4");
    assertThatThrownBy(() -> Ops.multinomial(Tensor.zeros(Shape.of(3)), 1, false, null))
        .hasMessageContaining("nothing");
    assertThatThrownBy(() -> Ops.multinomial(Tensor.of(-1f, 2f), 1, false, null))
        .hasMessageContaining("negative");
  }

  @Test
  void dropoutScalesWhatItKeeps() {
    Tensor x = Tensor.ones(Shape.of(MANY));
    Generator.defaultFor(Device.CPU).manualSeed(1);
    Tensor[] out = Ops.nativeDropout(x, 0.25, true);
    moments(out[0], 1, 1 / 3.0);
    assertThat(Ops.nativeDropoutBackward(x, out[1], 1 / 0.75).equal(out[0])).isTrue();
    assertThat(Ops.dropout(x, 0.25, false)).isSameAs(x);
    assertThat(Ops.dropout(x, 1, true).toFloatArray()).containsOnly(0);
    assertThatThrownBy(() -> Ops.dropout(x, 1.5, true)).hasMessageContaining("p=1.5");
  }
}
