package dev.jcomms.jccl.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SizesTest {
  private static long of(long... sizes) {
    return Sizes.of(Arrays.stream(sizes).mapToObj(SizesTest::tensor).toList());
  }

  private static Tensor tensor(long size) {
    return Tensor.zeros(DType.U8, Shape.of(size));
  }

  @Test
  void aFewSmallOnesAreToldAsTheyAre() {
    assertThat(Sizes.describe(of(3, 0, 5))).isEqualTo("[3, 0, 5]");
    assertThat(Sizes.describe(of(0, 0))).isEqualTo("[0, 0]");
    assertThat(Sizes.describe(of(8191, 1, 2))).isEqualTo("[8191, 1, 2]");
    assertThat(Sizes.describe(of(100_000, 99_999))).isEqualTo("[100000, 99999]");
  }

  @Test
  void othersAreADigest() {
    List<Tensor> many = Collections.nCopies(64, tensor(0));
    assertThat(Sizes.describe(Sizes.of(many))).matches("#[0-9a-f]+");
    assertThat(Sizes.describe(of(1 << 17, 1, 2))).matches("#[0-9a-f]+");
  }

  @Test
  void listsThatDifferAreDifferentNumbers() {
    assertThat(
            List.of(
                of(3, 5),
                of(5, 3),
                of(3, 5, 0),
                of(0, 3, 5),
                of(3, 4),
                of(),
                of(0),
                of(1 << 17, 1, 2),
                of(1 << 17, 2, 1),
                of(1 << 17, 1, 2, 0)))
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MAX_VALUE, Long.MIN_VALUE, 63L << 57 | 63L << 51, 63L << 57})
  void anyNumberCanBeDescribed(long number) {
    assertThat(Sizes.describe(number)).matches("#[0-9a-f]+|\\[[0-9, ]*]");
  }
}
