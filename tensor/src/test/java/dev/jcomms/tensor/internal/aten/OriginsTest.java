package dev.jcomms.tensor.internal.aten;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.Declaration;
import dev.jcomms.tensor.dispatch.Declarations;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Library;
import dev.jcomms.tensor.dispatch.Schema;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OriginsTest {
  private static final Schema SAME = Schema.parse("forms::same(Tensor self) -> Tensor");

  private static List<String> usesOf(String name) {
    return Declarations.list().stream()
        .filter(d -> d.name().equals(name))
        .findFirst()
        .map(Declaration::uses)
        .orElseThrow();
  }

  @Test
  void formsUseTheFunctionalOperatorAndACopy() {
    Schema inPlace = FormSchemas.inPlace(SAME, SAME.overload());
    Schema out = FormSchemas.out(SAME, "out", "out");
    try (var _ =
            Library.define(
                "forms",
                m -> List.of(SAME, inPlace, out).forEach(schema -> m.def(schema.toString())));
        var _ =
            Library.impl(
                "forms",
                DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD,
                m -> {
                  m.impl("same_", Forms.inPlace(SAME, inPlace));
                  m.impl("same.out", Forms.out(SAME, out));
                })) {
      assertThat(usesOf("forms::same_")).contains("forms::same", "aten::copy_");
      assertThat(usesOf("forms::same.out")).contains("forms::same", "aten::copy_");
      assertThat(Declarations.missing(DispatchKey.PRIVATE_USE_1))
          .filteredOn(m -> m.operator().name().equals("forms::same"))
          .singleElement()
          .extracting(Declarations.Missing::dependents)
          .isEqualTo(List.of("forms::same.out", "forms::same_"));
    }
  }

  @Test
  void aHandleOfUnknownOriginIsItsOwn() throws ReflectiveOperationException {
    MethodHandle code =
        MethodHandles.lookup()
            .findStatic(
                OriginsTest.class, "into", MethodType.methodType(Tensor.class, Tensor.class));
    assertThat(Origins.of(code)).isEqualTo(new Origins.Origin(code, List.of()));
    MethodHandle bound = MethodHandles.insertArguments(code, 0, (Object) null);
    assertThat(Origins.of(Origins.note(bound, code, "a::b")))
        .isEqualTo(new Origins.Origin(code, List.of("a::b")));
  }

  static Tensor into(Tensor out) {
    return out;
  }
}
