package dev.jcomms.tensor.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.dispatch.SchemaType.Base;
import dev.jcomms.tensor.dispatch.SchemaType.ListOf;
import dev.jcomms.tensor.dispatch.SchemaType.UnionOf;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SchemaTypeTest {
  @ParameterizedTest
  @CsvSource({
    "Tensor, Tensor",
    "Tensor?, Tensor",
    "Tensor[], List",
    "Tensor?[], List",
    "Tensor[]?, List",
    "Scalar, Scalar",
    "Scalar?, Scalar",
    "Scalar[], List",
    "number, Scalar",
    "int, long",
    "SymInt, long",
    "int?, Long",
    "SymInt?, Long",
    "int[], long[]",
    "int[2], long[]",
    "int[2]?, long[]",
    "SymInt[], long[]",
    "SymInt[]?, long[]",
    "int?[], Object",
    "int[][], Object",
    "float, double",
    "float?, Double",
    "float[], double[]",
    "float[]?, double[]",
    "bool, boolean",
    "bool?, Boolean",
    "bool[3], boolean[]",
    "str, String",
    "str?, String",
    "str[], List",
    "ScalarType, DType",
    "ScalarType?, DType",
    "Device, Device",
    "Device?, Device",
    "Layout?, Layout",
    "MemoryFormat, MemoryFormat",
    "Any, Object",
    "t, Object",
    "'Dict(str, int)', Object",
    "'(int, int)', Object",
    "complex, Object",
    "Storage, Object",
    "__torch__.torch.classes.c10d.Work, Object",
  })
  void everyTypeHasAJavaType(String type, String java) {
    SchemaType parsed = Schema.parse("a::f(" + type + " x) -> ()").arguments().getFirst().type();
    assertThat(parsed.javaType().getSimpleName()).isEqualTo(java);
    assertThat(parsed).hasToString(type);
  }

  @Test
  void impossibleTypesAreRefused() {
    assertThatThrownBy(() -> new ListOf(Base.INT, -2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("size=-2");
    assertThatThrownBy(() -> new UnionOf(List.of(Base.INT)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[int]");
    assertThatThrownBy(() -> new Alias(List.of(), false, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
