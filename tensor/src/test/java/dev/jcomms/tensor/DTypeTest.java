package dev.jcomms.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class DTypeTest {
  @ParameterizedTest
  @EnumSource
  void bothNamesParseBack(DType dtype) {
    assertThat(DType.parse(dtype.shortName())).isSameAs(dtype);
    assertThat(DType.parse(dtype.torchName())).isSameAs(dtype);
    assertThat(dtype).hasToString(dtype.shortName());
  }

  @ParameterizedTest
  @CsvSource({
    "F64, 8, f64, float64, true, false",
    "F32, 4, f32, float32, true, false",
    "F16, 2, f16, float16, true, false",
    "BF16, 2, bf16, bfloat16, true, false",
    "I64, 8, i64, int64, false, true",
    "I32, 4, i32, int32, false, true",
    "I16, 2, i16, int16, false, true",
    "I8, 1, i8, int8, false, true",
    "U8, 1, u8, uint8, false, true",
    "BOOL, 1, bool, bool, false, false",
    "F8E4M3, 1, f8e4m3, float8_e4m3fn, true, false",
    "F8E5M2, 1, f8e5m2, float8_e5m2, true, false",
  })
  void eachIsWhatItsNameSays(
      DType dtype,
      int bytes,
      String shortName,
      String torchName,
      boolean floating,
      boolean integer) {
    assertThat(dtype.bytes()).isEqualTo(bytes);
    assertThat(dtype.shortName()).isEqualTo(shortName);
    assertThat(dtype.torchName()).isEqualTo(torchName);
    assertThat(dtype.isFloating()).isEqualTo(floating);
    assertThat(dtype.isInteger()).isEqualTo(integer);
  }

  @Test
  void anUnknownNameIsAnsweredWithTheKnownOnes() {
    assertThatThrownBy(() -> DType.parse("float31"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no dtype named 'float31'; available: [f64=float64, f32=float32, ")
        .hasMessageEndingWith("bool, f8e4m3=float8_e4m3fn, f8e5m2=float8_e5m2]");
  }
}
