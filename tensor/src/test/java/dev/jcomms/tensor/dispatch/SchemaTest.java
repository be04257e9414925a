package dev.jcomms.tensor.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.SchemaType.Base;
import dev.jcomms.tensor.dispatch.SchemaType.ListOf;
import dev.jcomms.tensor.dispatch.SchemaType.OptionalOf;
import java.lang.invoke.MethodType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SchemaTest {
  private static final String ADD =
      "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor";

  @Test
  void itsPartsAreRead() {
    Schema add = Schema.parse(ADD);
    assertThat(add.namespace()).isEqualTo("aten");
    assertThat(add.name()).isEqualTo("add");
    assertThat(add.overload()).isEqualTo("Tensor");
    assertThat(add.qualifiedName()).isEqualTo("aten::add.Tensor");
    assertThat(add.arguments())
        .extracting(Argument::name)
        .containsExactly("self", "other", "alpha");
    assertThat(add.arguments())
        .extracting(Argument::keywordOnly)
        .containsExactly(false, false, true);
    assertThat(add.arguments().get(2).type()).isEqualTo(Base.SCALAR);
    assertThat(add.arguments().get(2).defaultJava()).isEqualTo(Scalar.of(1));
    assertThat(add.arguments().get(0).hasDefault()).isFalse();
    assertThat(add.returns()).containsExactly(new Return("", Base.TENSOR, null, null));
    assertThat(add.isMutable()).isFalse();
    assertThat(add.isVarArg()).isFalse();
    assertThat(add.isVarRet()).isFalse();
    assertThat(add).hasToString(ADD);
  }

  @Test
  void schemasOfOneTextAreEqual() {
    Schema add = Schema.parse(ADD);
    Schema spaced =
        Schema.parse(
            " aten :: add . Tensor( Tensor self ,Tensor other,\n*,\tScalar alpha = 1 )->(Tensor)");
    assertThat(spaced).isEqualTo(add).hasSameHashCodeAs(add).hasToString(ADD);
    assertThat(Schema.parse(ADD.replace("alpha=1", "alpha=2"))).isNotEqualTo(add);
    assertThat(Schema.parse("add.Tensor() -> ()"))
        .isNotEqualTo(Schema.parse("a::add.Tensor() -> ()"));
  }

  @Test
  void theNamespaceMayComeFromOutside() {
    assertThat(Schema.parse("f(int x) -> int").namespace()).isEmpty();
    assertThat(Schema.parse("f(int x) -> int").qualifiedName()).isEqualTo("f");
    assertThat(Schema.parse("my", "f(int x) -> int")).hasToString("my::f(int x) -> int");
    assertThat(Schema.parse("my", "my::f(int x) -> int")).hasToString("my::f(int x) -> int");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a::f() -> ()",
        "a::f(...) -> ...",
        "a::f(str self, ...) -> (int, ...)",
        "a::f(*, int x) -> ()",
        "a::f(int[] x, int[2] y, int[][] z, int?[] u, int[]? v, int[3]? w, int[]?[] q) -> int[]",
        "a::f(Tensor?[] indices, Tensor[]? more) -> Tensor?",
        "a::f(Tensor(a) x) -> Tensor(a)",
        "a::f(Tensor(a!) self, Tensor(b!)[] others, Tensor[](c!) list) -> Tensor(a!)",
        "a::f(Tensor(a -> *) x, t(b! -> c|d) y) -> Tensor(b|a)",
        "a::f(Tensor(a)? x, Tensor(b!)?[] y, Tensor(c)[](d!) z) -> Tensor(*)",
        "a::f(Tensor! x) -> ()",
        "a::f(Dict(str, t)(a!) self, (int, Tensor)[] pairs) -> Dict(str, Tensor[])[]",
        "a::f(Future(t) f, Await(t) g, RRef(t) h) -> t(*)?",
        "a::f(Union(int, str)[] x, () nothing, (int) one) -> NoneType",
        "a::f(__torch__.torch.classes.c10d.Work? w) -> __torch__.torch.classes.c10d.Work(a!)",
        "a::f(SymInt x, SymInt[] y, SymBool z, complex c, number n, Any[] l, AnyEnumType e) -> tVal",
        "a::f(Stream s, Storage t, QScheme q, Quantizer r, Dimname[]? d, AnyClassType c) -> Capsule",
        "a::f(Tensor self) -> (Tensor values, Tensor(a!) indices)",
        "a::f(Tensor X) -> Tensor Y",
        "a::f() -> ((int, str)[])",
        "a::f() -> ((int, str))",
        "a::f(int x=1, *, int y, Tensor? z=None) -> ()",
        "a::f(float? a, float? a) -> ()",
        "_n0::__f__.over_1(int _0) -> bool _0",
      })
  void aCanonicalTextIsPrintedBack(String text) {
    assertThat(Schema.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a::f(*) -> ()                        | a::f() -> ()",
        "a::f(int x, *, *, int y) -> ()       | a::f(int x, *, int y) -> ()",
        "a::f(int x, *, ...) -> ()            | a::f(int x, ...) -> ()",
        "a::f() -> (...)                      | a::f() -> ...",
        "a::f() -> (Tensor a)                 | a::f() -> Tensor a",
        "a::f(int?? x, None n) -> ()          | a::f(int? x, NoneType n) -> ()",
        "a::f(DeviceIndex x) -> ()            | a::f(int x) -> ()",
        "a::f(Union(int, None) x) -> ()       | a::f(int? x) -> ()",
        "a::f(Union(None, int) x) -> ()       | a::f(int? x) -> ()",
        "a::f(Tensor(a->b) x, int[ ] y) -> () | a::f(Tensor(a -> b) x, int[] y) -> ()",
        "a::f((Tensor(a!), int) x) -> ()      | a::f((Tensor, int) x) -> ()",
      })
  void otherWaysToWriteBecomeTheCanonicalOne(String text, String canonical) {
    assertThat(Schema.parse(text)).hasToString(canonical);
  }

  @Test
  void annotationsSayWhoseMemoryIsWritten() {
    Schema schema =
        Schema.parse(
            "a::f(Tensor(a) x, Tensor(b!)[] y, Tensor[](c! -> d) z, int n) -> Tensor(a|b)");
    List<Argument> arguments = schema.arguments();
    assertThat(arguments).extracting(Argument::isWritten).containsExactly(false, true, true, false);
    assertThat(arguments).extracting(Argument::isAliased).containsExactly(true, true, true, false);
    assertThat(arguments.get(1).alias()).isNull();
    assertThat(arguments.get(1).elementAlias())
        .isEqualTo(new Alias(List.of("b"), true, List.of("b")));
    assertThat(arguments.get(2).alias()).isEqualTo(new Alias(List.of("c"), true, List.of("d")));
    assertThat(schema.returns().getFirst().alias().before()).containsExactly("a", "b");
    assertThat(schema.isMutable()).isTrue();
    assertThat(Schema.parse("a::f(Tensor(a) x) -> Tensor(a)").isMutable()).isFalse();
    assertThat(Schema.parse("a::f(Tensor(a!)[] x) -> ()").isMutable()).isTrue();
  }

  @Test
  void listsAndOptionalsNestInTheOrderWritten() {
    List<Argument> arguments =
        Schema.parse("a::f(Tensor?[] x, Tensor[]? y, int[2]? z) -> ()").arguments();
    assertThat(arguments.get(0).type())
        .isEqualTo(new ListOf(new OptionalOf(Base.TENSOR), ListOf.ANY_SIZE));
    assertThat(arguments.get(1).type())
        .isEqualTo(new OptionalOf(new ListOf(Base.TENSOR, ListOf.ANY_SIZE)));
    assertThat(arguments.get(2).type()).isEqualTo(new OptionalOf(new ListOf(Base.INT, 2)));
  }

  @Test
  void aKernelOfASchemaHasItsJavaTypes() {
    assertThat(Schema.parse(ADD).methodType())
        .isEqualTo(MethodType.methodType(Tensor.class, Tensor.class, Tensor.class, Scalar.class));
    assertThat(Schema.parse("a::f(int x, ...) -> ()").methodType())
        .isEqualTo(MethodType.methodType(void.class, long.class, Object[].class));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "()                 | void",
        "int                | long",
        "Tensor             | dev.jcomms.tensor.Tensor",
        "Tensor[]           | java.util.List",
        "(Tensor, Tensor b) | dev.jcomms.tensor.Tensor[]",
        "(Tensor, int)      | java.lang.Object[]",
        "(Tensor, Tensor?)  | java.lang.Object[]",
        "((int, str))       | java.lang.Object",
        "...                | java.lang.Object[]",
      })
  void severalResultsAreAnArray(String returns, String java) {
    assertThat(Schema.parse("a::f() -> " + returns).methodType().returnType().getTypeName())
        .isEqualTo(java);
  }
}
