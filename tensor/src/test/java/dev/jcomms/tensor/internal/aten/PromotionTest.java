package dev.jcomms.tensor.internal.aten;

import static dev.jcomms.tensor.DType.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** The table and the order of precedence of PyTorch's {@code result_type}. */
class PromotionTest {
  private static final DType[] ROWS = {U8, I8, I16, I32, I64, F16, F32, F64, BOOL, BF16};
  private static final DType[][] TABLE = {
    {U8, I16, I16, I32, I64, F16, F32, F64, U8, BF16},
    {I16, I8, I16, I32, I64, F16, F32, F64, I8, BF16},
    {I16, I16, I16, I32, I64, F16, F32, F64, I16, BF16},
    {I32, I32, I32, I32, I64, F16, F32, F64, I32, BF16},
    {I64, I64, I64, I64, I64, F16, F32, F64, I64, BF16},
    {F16, F16, F16, F16, F16, F16, F32, F64, F16, F32},
    {F32, F32, F32, F32, F32, F32, F32, F64, F32, F32},
    {F64, F64, F64, F64, F64, F64, F64, F64, F64, F64},
    {U8, I8, I16, I32, I64, F16, F32, F64, BOOL, BF16},
    {BF16, BF16, BF16, BF16, BF16, F32, F32, F64, BF16, BF16},
  };

  @Test
  void twoDtypesPromoteAsInTheTable() {
    for (int r = 0; r < ROWS.length; r++) {
      for (int c = 0; c < ROWS.length; c++) {
        assertThat(Promotion.promote(ROWS[r], ROWS[c]))
            .as("%s and %s", ROWS[r], ROWS[c])
            .isEqualTo(TABLE[r][c]);
      }
    }
  }

  @Test
  void eightBitFloatsPromoteWithThemselvesAlone() {
    assertThat(Promotion.promote(F8E4M3, F8E4M3)).isEqualTo(F8E4M3);
    for (DType other : new DType[] {F8E5M2, F32, I64, BOOL}) {
      assertThatThrownBy(() -> Promotion.promote(F8E4M3, other))
          .hasMessageContaining("Promotion for Float8 Types is not supported");
    }
  }

  private static Tensor sized(DType dtype) {
    return Tensor.zeros(dtype, Shape.of(1));
  }

  private static Tensor single(DType dtype) {
    return Tensor.zeros(dtype, Shape.scalar());
  }

  @Test
  void dimensionsComeBeforeNoneAndThoseBeforeNumbers() {
    assertThat(Promotion.of(sized(F32), single(F64))).isEqualTo(F32);
    assertThat(Promotion.of(sized(I8), single(I64))).isEqualTo(I8);
    assertThat(Promotion.of(sized(I64), single(F16))).isEqualTo(F16);
    assertThat(Promotion.of(sized(BOOL), single(I8))).isEqualTo(I8);
    assertThat(Promotion.of(single(I8), single(I64))).isEqualTo(I64);
    assertThat(Promotion.of(sized(U8), Scalar.of(300))).isEqualTo(U8);
    assertThat(Promotion.of(sized(I32), Scalar.of(1.5))).isEqualTo(F32);
    assertThat(Promotion.of(sized(F16), Scalar.of(1.5))).isEqualTo(F16);
    assertThat(Promotion.of(single(F16), Scalar.of(1.5))).isEqualTo(F16);
    assertThat(Promotion.of(sized(BOOL), Scalar.of(1))).isEqualTo(I64);
    assertThat(Promotion.of(sized(BOOL), Scalar.of(true))).isEqualTo(BOOL);
    assertThat(Promotion.of(sized(F8E5M2), Scalar.of(1.5))).isEqualTo(F8E5M2);
  }
}
