package dev.jcomms.tensor.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SchemaErrorsTest {
  @Test
  void anErrorPointsAtItsPlace() {
    assertThatThrownBy(() -> Schema.parse("a::f(int x, Tenso y) -> int"))
        .isInstanceOf(SchemaException.class)
        .hasMessageMatching(
            "(?s)schema, column 13: no type 'Tenso'; types: \\[Tensor, Scalar, .*AnyEnumType]\\R"
                + "  a::f\\(int x, Tenso y\\) -> int\\R"
                + " {14}\\^");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      quoteCharacter = '`',
      value = {
        "``                                 @ 1  @ expected an operator name, found the end",
        "1a::f() -> ()                      @ 1  @ expected an operator name, found '1a'",
        "a:f() -> ()                        @ 2  @ expected '(', found ':'",
        "a::(int x) -> ()                   @ 4  @ expected an operator name, found '('",
        "a::b::f() -> ()                    @ 5  @ expected '(', found ':'",
        "a::f.(int x) -> ()                 @ 6  @ expected an overload name, found '('",
        "a::f.b.c(int x) -> ()              @ 7  @ expected '(', found '.'",
        "a::f.default() -> ()               @ 6  @ 'default' cannot name an overload",
        "a::f.__b() -> ()                   @ 6  @ '__b' cannot name an overload",
        "a::f                               @ 5  @ expected '(', found the end",
        "a::f(                              @ 6  @ expected a type, found the end",
        "a::f(int x                         @ 11 @ expected ')', found the end",
        "a::f(int x,) -> ()                 @ 12 @ expected a type, found ')'",
        "a::f(int x int y) -> ()            @ 12 @ expected ')', found 'int'",
        "a::f(int) -> ()                    @ 9  @ expected an argument name, found ')'",
        "a::f(int 1) -> ()                  @ 10 @ expected an argument name, found '1'",
        "a::f(int None) -> ()               @ 10 @ expected an argument name, found the constant 'None'",
        "a::f(int x)                        @ 12 @ expected '->', found the end",
        "a::f(int x) - > ()                 @ 13 @ expected '->', found '-'",
        "a::f(int x) ->                     @ 15 @ expected a type, found the end",
        "a::f() -> () junk                  @ 14 @ expected the end, found 'junk'",
        "a::f() -> (int, str)[]             @ 21 @ expected the end, found '['",
        "a::f() -> int x=1                  @ 16 @ expected the end, found '='",
        "a::f() -> (int,                    @ 16 @ expected a type, found the end",
        "a::f(..., int x) -> ()             @ 11 @ '...' must be the last argument",
        "a::f() -> (..., int)               @ 17 @ '...' must be the last result",
        "a::f(int x=1, int y) -> ()         @ 19 @ 'y' needs a default, since 'x' before it has one",
        "a::f(AnyType x) -> ()              @ 6  @ no type 'AnyType'",
        "a::f(Dict(str) x) -> ()            @ 6  @ Dict takes a key and a value type, not [str]",
        "a::f(Future x) -> ()               @ 13 @ expected '(', found 'x'",
        "a::f(Await(int, int) x) -> ()      @ 6  @ Await takes one type, not [int, int]",
        "a::f(Union(int, int) x) -> ()      @ 6  @ Union takes two or more types, not [int, int]",
        "a::f(Union[int] x) -> ()           @ 11 @ expected '(', found '['",
        "a::f(__torch__.x.Y a) -> ()        @ 16 @ expected 'torch', found 'x'",
        "a::f(__torch__.torch.classes.x) -> () @ 31 @ expected '.', found ')'",
        "a::f(int[2][] x) -> ()             @ 12 @ expected an argument name, found '['",
        "a::f(int[-1] x) -> ()              @ 10 @ expected a list's size or ']'",
        "a::f(int[1.5] x) -> ()             @ 10 @ expected a list's size or ']'",
        "a::f(int[9999999999] x) -> ()      @ 10 @ expected a list's size or ']'",
        "a::f(int[2]?? x) -> ()             @ 13 @ expected an argument name, found '?'",
        "a::f(Tensor() x) -> ()             @ 13 @ expected the name of an alias set, or '*', found ')'",
        "a::f(Tensor(a x) -> ()             @ 15 @ expected ')', found 'x'",
        "a::f(Tensor(a!, b) x) -> ()        @ 15 @ expected ')', found ','",
        "a::f(Tensor(a -> ) x) -> ()        @ 18 @ expected the name of an alias set, or '*', found ')'",
        "a::f(Tensor(a -> *|b) x) -> ()     @ 19 @ expected ')', found '|'",
        "a::f(Tensor?(a) x) -> ()           @ 13 @ expected an argument name, found '('",
        "a::f(int x=) -> ()                 @ 12 @ expected a default value, found ')'",
        "a::f(int x=-) -> ()                @ 13 @ expected a number, found ')'",
        "a::f(int x=+3) -> ()               @ 12 @ expected a default value, found '+'",
        "a::f(int x=1_000) -> ()            @ 13 @ expected ')', found '_000'",
        "a::f(int x=99999999999999999999) -> () @ 12 @ whole number out of range of 64 bits",
        "a::f(float x=1e400) -> ()          @ 14 @ number out of range of a double",
        "a::f(int x=1.5) -> ()              @ 12 @ default 1.5 is no value of type int",
        "a::f(int x=None) -> ()             @ 12 @ default None is no value of type int",
        "a::f(bool x=2) -> ()               @ 13 @ default 2 is no value of type bool",
        "a::f(bool x=true) -> ()            @ 13 @ expected a value of type bool, found 'true'",
        "a::f(int[] x=1) -> ()              @ 14 @ default 1 is no value of type int[]",
        "a::f(int[] x=None) -> ()           @ 14 @ default None is no value of type int[]",
        "a::f(int[] x=[1,]) -> ()           @ 17 @ expected a default value, found ']'",
        "a::f(int[] x=[[1]]) -> ()          @ 15 @ expected a value of type int, found '['",
        "a::f(int x=[1]) -> ()              @ 12 @ expected a value of type int, found '['",
        "a::f(int x=Sum) -> ()              @ 12 @ expected a value of type int, found 'Sum'; names with a value: None, True, False, inf, nan, [Mean,",
        "a::f(Tensor x=1) -> ()             @ 15 @ default 1 is no value of type Tensor",
        "a::f(Any x=1) -> ()                @ 12 @ default 1 is no value of type Any",
        "a::f(t x=1) -> ()                  @ 10 @ default 1 is no value of type t",
        "a::f(str x=1) -> ()                @ 12 @ default 1 is no value of type str",
        "a::f(complex x=1+2) -> ()          @ 19 @ expected 'j', found ')'",
        "a::f(Device x=None) -> ()          @ 15 @ default None is no value of type Device",
        "a::ö() -> ()                       @ 4  @ expected an operator name, found 'ö'",
      })
  void badTextIsRefusedAtItsColumn(String text, int column, String problem) {
    SchemaException e = catchThrowableOfType(SchemaException.class, () -> Schema.parse(text));
    assertThat(e).as(text).isNotNull();
    assertThat(e).hasMessageStartingWith("schema, column " + column + ": " + problem);
    assertThat(e.column()).isEqualTo(column);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\"a", "'a\"", "'", "\"a\nb\"", "'\\x41'", "'\\12'", "'\\400'", "'\\", "'''a'"})
  void brokenStringsAreRefused(String literal) {
    String text = "a::f(str x=" + literal + ") -> ()";
    assertThatThrownBy(() -> Schema.parse(text)).isInstanceOf(SchemaException.class);
  }

  @Test
  void anotherNamespaceIsRefused() {
    assertThatThrownBy(() -> Schema.parse("my", "aten::f() -> ()"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("schema of namespace 'aten' given where 'my' is defined: aten::f() -> ()");
    assertThatThrownBy(() -> Schema.parse("", "f() -> ()")).isInstanceOf(SchemaException.class);
    assertThatThrownBy(() -> Schema.parse("my::", "f() -> ()")).isInstanceOf(SchemaException.class);
  }

  @Test
  void nestingHasAnEnd() {
    for (String deep :
        new String[] {
          "(".repeat(10_000) + "int",
          "Dict(".repeat(10_000),
          "int" + "[]".repeat(10_000),
          "int" + "[]?".repeat(10_000)
        }) {
      assertThatThrownBy(() -> Schema.parse("a::f(" + deep + " x) -> ()"))
          .isInstanceOf(SchemaException.class)
          .hasMessageContaining("nested deeper than 32");
    }
    String allowed = "a::f(" + "(".repeat(32) + "int" + ")".repeat(32) + " x) -> ()";
    assertThat(Schema.parse(allowed)).hasToString(allowed);
  }

  @Test
  void longGarbageIsRefusedQuicklyAndBriefly() {
    String huge = "a::f(" + "int x, ".repeat(10_000_000);
    Assertions.assertTimeout(
        Duration.ofSeconds(5),
        () ->
            assertThatThrownBy(() -> Schema.parse(huge))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("70000005 characters; at most 65536"));
    for (String piece :
        new String[] {"int x, ", "a|", "x", "[", "(", "?", "'", "\\", "9", "* , "}) {
      for (String head : new String[] {"", "a::f(", "a::f(Tensor(", "a::f(int[] x=["}) {
        String text = (head + piece.repeat(65_000 / piece.length()));
        Assertions.assertTimeout(
            Duration.ofSeconds(5),
            () -> {
              SchemaException e =
                  catchThrowableOfType(SchemaException.class, () -> Schema.parse(text));
              assertThat(e).isNotNull();
              assertThat(e.getMessage().length()).isLessThan(1000);
            });
      }
    }
  }

  @Test
  void noTextBreaksTheParser() {
    String[] pieces =
        ("aten:: f .b ( ) , * ... -> Tensor int[2] [ ] ? ! (a!) (a -> *) | = 1 -1 1e5 . 1.5j None"
                + " True \"s\" ' \\ x Dict( Union( Future( __torch__ .torch .classes float str Device"
                + " cpu : ScalarType long bool[] \u0000 ü")
            .split(" ");
    Random random = new Random(7);
    int parsed = 0;
    for (int i = 0; i < 50_000; i++) {
      StringBuilder text = new StringBuilder(random.nextBoolean() ? "a::f(" : "");
      int n = random.nextInt(12);
      for (int j = 0; j < n; j++) {
        text.append(pieces[random.nextInt(pieces.length)]);
        if (random.nextBoolean()) text.append(' ');
      }
      if (random.nextBoolean()) text.append(") -> ()");
      parsed += parsesBackOrIsRefused(text.toString());
    }
    assertThat(parsed).isPositive();
  }

  @Test
  void noChangedSchemaBreaksTheParser() {
    String good =
        "aten::f.o(Tensor(a!)[] self, int[2] p=[0, 1], *, str? s=\"a\\n\", Dict(str, t)(b -> *) d,"
            + " float e=1e-05, ScalarType? t=long) -> (Tensor(a!) x, (int, str)[] y)";
    Random random = new Random(11);
    int parsed = 0;
    for (int i = 0; i < 50_000; i++) {
      StringBuilder text = new StringBuilder(good);
      for (int j = random.nextInt(4); j >= 0; j--) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.deleteCharAt(at);
          case 1 -> text.insert(at, good.charAt(random.nextInt(good.length())));
          default -> text.setCharAt(at, good.charAt(random.nextInt(good.length())));
        }
      }
      parsed += parsesBackOrIsRefused(text.toString());
    }
    assertThat(parsed).isPositive();
  }

  /**
   * 1 if it parses, and then its text gives an equal schema; 0 if it is refused as it should be.
   */
  private static int parsesBackOrIsRefused(String text) {
    Schema schema;
    try {
      schema = Schema.parse(text);
    } catch (SchemaException e) {
      assertThat(e.column()).isBetween(1, text.length() + 1);
      return 0;
    }
    assertThat(Schema.parse(schema.toString())).as(text).isEqualTo(schema);
    schema.methodType();
    return 1;
  }
}
