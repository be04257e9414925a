package dev.jcomms.tensor.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Layout;
import dev.jcomms.tensor.MemoryFormat;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.dispatch.SchemaType.Base;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ArgumentDefaultTest {
  private static Argument argument(String text) {
    return Schema.parse("a::f(" + text + ") -> ()").arguments().getFirst();
  }

  private static Arguments of(String text, Object java) {
    return of(text, java, text);
  }

  private static Arguments of(String text, Object java, String canonical) {
    return Arguments.of(text, java, canonical);
  }

  static Stream<Arguments> defaults() {
    return Stream.of(
        of("Tensor? x=None", null),
        of("Tensor x=None", null),
        of("Generator? x=None", null),
        of("int[]? x=None", null),
        of("int x=-100", -100L),
        of("int x=- 1", -1L, "int x=-1"),
        of("int x=9223372036854775807", Long.MAX_VALUE),
        of("int x=-9223372036854775808", Long.MIN_VALUE),
        of("int x=True", 1L),
        of("int x=Mean", 1L, "int x=1"),
        of("int? x=3", 3L),
        of("SymInt x=2", 2L),
        of("float x=1e-5", 1e-5, "float x=1.0000000000000001e-05"),
        of("float x=1", 1.0, "float x=1."),
        of("float? x=1", 1.0),
        of("float x=.5", 0.5, "float x=0.5"),
        of("float x=1.e5", 100000.0, "float x=100000."),
        of("float x=1E+2", 100.0, "float x=100."),
        of("float x=0.0001", 0.0001),
        of("float x=3.14", 3.14, "float x=3.1400000000000001"),
        of("float x=-0.", -0.0),
        of("float x=123456789012345678.", 123456789012345680., "float x=123456789012345680."),
        of("float x=9e18", 9e18, "float x=9000000000000000000."),
        of("float x=1e19", 1e19, "float x=1e+19"),
        of("float x=1.7976931348623157e+308", Double.MAX_VALUE),
        of("float x=4.9406564584124654e-324", Double.MIN_VALUE),
        of("float x=inf", Double.POSITIVE_INFINITY),
        of("float x=-inf", Double.NEGATIVE_INFINITY),
        of("float x=nan", Double.NaN),
        of("bool x=True", true),
        of("bool x=0", false),
        of("bool? x=False", false),
        of("Scalar x=1", Scalar.of(1)),
        of("Scalar x=1.", Scalar.of(1.0)),
        of("Scalar x=True", Scalar.of(true)),
        of("Scalar? x=-2", Scalar.of(-2)),
        of("Scalar[] x=[1, 2.5]", List.of(Scalar.of(1), Scalar.of(2.5))),
        of("complex x=2j", new Constant.Complex(0, 2), "complex x=0.+2.j"),
        of("complex x=1.-2.5j", new Constant.Complex(1, -2.5)),
        of("str x=\"a\"", "a"),
        of("str? x='it is'", "it is", "str? x=\"it is\""),
        of("str x=''", "", "str x=\"\""),
        of("str x='''a'b'''", "a'b", "str x=\"a\\'b\""),
        of("str x=\" \\n\\t\\f\\v\\a\\b\\r\\\"\\'\\\\\"", " \n\t\f\u000b\u0007\b\r\"'\\"),
        of("str x='ü\u007f'", "ü\u007f", "str x=\"\\303\\274\\177\""),
        of("str x='\\303\\274'", "ü", "str x=\"\\303\\274\""),
        of("str[] x=[\"a\", \"b\"]", List.of("a", "b")),
        of("int[] x=[]", new long[0]),
        of("int[] x=[0, -1]", new long[] {0, -1}),
        of("int[] x=[1, 1]", new long[] {1, 1}),
        of("int[1] x=0", new long[] {0}, "int[1] x=[0]"),
        of("int[2] x=1", new long[] {1, 1}),
        of("int[2] x=[1, 1]", new long[] {1, 1}, "int[2] x=1"),
        of("int[2] x=[1, 2]", new long[] {1, 2}),
        of("int[2] x=[1, 1, 1]", new long[] {1, 1, 1}),
        of("int[2] x=[]", new long[0]),
        of("int[2]? x=1", new long[] {1, 1}),
        of("SymInt[3] x=0", new long[] {0, 0, 0}, "SymInt[3] x=[0, 0, 0]"),
        of("float[2] x=1", new double[] {1, 1}, "float[2] x=[1., 1.]"),
        of("float[] x=[1., 2.5]", new double[] {1, 2.5}),
        of("bool[2] x=True", new boolean[] {true, true}, "bool[2] x=[True, True]"),
        of("Tensor[] x=[]", List.of()),
        of("ScalarType x=long", DType.I64, "ScalarType x=4"),
        of("ScalarType? x=float", DType.F32, "ScalarType? x=6"),
        of("ScalarType x=bfloat16", DType.BF16, "ScalarType x=15"),
        of("ScalarType x=11", DType.BOOL),
        of("MemoryFormat x=contiguous_format", MemoryFormat.CONTIGUOUS, "MemoryFormat x=0"),
        of("MemoryFormat? x=preserve_format", MemoryFormat.PRESERVE, "MemoryFormat? x=1"),
        of("Layout x=strided", Layout.STRIDED, "Layout x=0"),
        of("Device x=\"cuda:1\"", Device.of("cuda", 1), "Device x=cuda:1"),
        of("Device? x=cpu", Device.CPU));
  }

  @ParameterizedTest
  @MethodSource("defaults")
  void aDefaultIsTheValueThatACallPasses(String text, Object java, String canonical) {
    Argument argument = argument(text);
    assertThat(argument.hasDefault()).isTrue();
    assertThat(argument.defaultJava()).isEqualTo(java);
    assertThat(argument).hasToString(canonical);
    assertThat(argument(canonical)).isEqualTo(argument);
    if (argument.defaultJava() != null && !argument.type().javaType().isPrimitive()) {
      assertThat(argument.defaultJava()).isInstanceOf(argument.type().javaType());
    }
  }

  @Test
  void arraysAreNewEachTime() {
    Argument argument = argument("int[2] x=1");
    ((long[]) argument.defaultJava())[0] = 7;
    assertThat(argument.defaultJava()).isEqualTo(new long[] {1, 1});
  }

  @Test
  void anArgumentWithoutDefaultSaysSo() {
    assertThatThrownBy(() -> argument("Tensor self").defaultJava())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("argument 'self' of type Tensor: no default");
  }

  @Test
  void dtypesThatOnlyPyTorchHasAreReadButHaveNoValue() {
    Argument argument = argument("ScalarType x=9");
    assertThat(argument).hasToString("ScalarType x=9");
    assertThatThrownBy(argument::defaultJava)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("dtype number 9")
        .hasMessageContaining("4=i64");
  }

  @Test
  void aValueOfAnotherTypeIsRefusedWhoeverBringsIt() {
    assertThatThrownBy(
            () -> new Argument("x", Base.INT, new Constant.Fraction(1.5), false, null, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("default 1.5 of argument 'x' is no value of type int");
  }
}
