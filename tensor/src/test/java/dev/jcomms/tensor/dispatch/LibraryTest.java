package dev.jcomms.tensor.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LibraryTest {
  private static final Tensor X = Tensor.zeros(Shape.of(2));
  private static final Tensor Y = Tensor.ones(Shape.of(2));

  static Tensor first(Tensor self, long n) {
    return X;
  }

  static Tensor second(Tensor self, long n) {
    return Y;
  }

  static Tensor narrow(Tensor self, int n) {
    return Y;
  }

  static final class Annotated {
    @Implements("pick")
    static Tensor pick(Tensor self, long n) {
      return n == 7 ? X : Y;
    }
  }

  private static RegistrationHandle pick() {
    return Library.define("lib", m -> m.def("pick(Tensor self, int n=7) -> Tensor"));
  }

  private static Object call(Object... args) {
    return Dispatcher.call("lib::pick", args);
  }

  @Test
  void theNewestKernelServesAndClosingBringsBackTheOneBefore() {
    try (var _ = pick()) {
      try (var _ = Library.impl("lib", DispatchKey.CPU, m -> m.impl("pick", LibraryTest::first))) {
        RegistrationHandle over =
            Library.impl("lib", DispatchKey.CPU, m -> m.impl("pick", LibraryTest::second));
        assertSame(Y, call(X, 1));
        over.close();
        over.close();
        assertSame(X, call(X, 1));
      }
      NoKernelException e = assertThrows(NoKernelException.class, () -> call(X, 1));
      assertTrue(e.getMessage().contains("lib::pick: no kernel for CPU"), e.getMessage());
    }
  }

  @Test
  void registrationsMayBeClosedInAnyOrder() {
    try (var _ = pick()) {
      RegistrationHandle one =
          Library.impl("lib", DispatchKey.CPU, m -> m.impl("pick", LibraryTest::first));
      RegistrationHandle two =
          Library.impl("lib", DispatchKey.CPU, m -> m.impl("pick", LibraryTest::second));
      one.close();
      assertSame(Y, call(X, 1));
      two.close();
      assertThrows(NoKernelException.class, () -> call(X, 1));
    }
  }

  @Test
  void kernelsComeAsReferencesHandlesNamesAnnotationsAndBoxed() {
    try (var _ = pick()) {
      var lookup = MethodHandles.lookup();
      try (var _ = Library.impl("lib", DispatchKey.CPU, m -> m.impl("pick", lookup, "second"))) {
        assertSame(Y, call(X));
      }
      try (var _ =
          Library.impl("lib", DispatchKey.CPU, m -> m.kernels(lookup.in(Annotated.class)))) {
        assertSame(X, call(X));
        assertSame(Y, call(X, 8));
      }
      try (var _ =
          Library.impl("lib", DispatchKey.CPU, m -> m.boxed("pick", (op, keys, args) -> args[0]))) {
        assertSame(Y, call(Y));
      }
    }
  }

  @Test
  void kernelsThatDoNotFitAreRefusedWithTheSchema() {
    try (var _ = pick()) {
      refused("takes 1 arguments, not 2", m -> m.impl("pick", (Tensor t) -> t));
      refused("takes Boolean for 'n', not long", m -> m.impl("pick", (Tensor t, Boolean n) -> t));
      refused("takes int for 'n', not long", m -> m.impl("pick", MethodHandles.lookup(), "narrow"));
      refused("returns String, not Tensor", m -> m.impl("pick", (Tensor t, Long n) -> "no"));
      refused("no static method 'nothing'", m -> m.impl("pick", MethodHandles.lookup(), "nothing"));
      refused("has no method with @Implements", m -> m.kernels(MethodHandles.lookup()));
      refused(
          "two kernels for CPU in one block",
          m -> m.impl("pick", LibraryTest::first).impl("pick", LibraryTest::second));
      assertThrows(NoKernelException.class, () -> call(X), "a refused block leaves nothing");
    }
  }

  private static void refused(String why, java.util.function.Consumer<Library> body) {
    Exception e =
        assertThrows(
            IllegalArgumentException.class, () -> Library.impl("lib", DispatchKey.CPU, body));
    assertTrue(e.getMessage().contains(why), e.getMessage());
  }

  @Test
  void definitionsThatClashOrAreUnknownAreRefused() {
    try (var _ = pick()) {
      Exception twice = assertThrows(IllegalArgumentException.class, LibraryTest::pick);
      assertTrue(twice.getMessage().contains("defined already"), twice.getMessage());
      Exception unknown =
          assertThrows(
              IllegalArgumentException.class,
              () -> Library.impl("lib", DispatchKey.CPU, m -> m.impl("pik", LibraryTest::first)));
      assertTrue(unknown.getMessage().contains("no operator named 'lib::pik'"));
      assertThrows(
          IllegalArgumentException.class,
          () ->
              Library.impl("aten", DispatchKey.CPU, m -> m.impl("lib::pick", LibraryTest::first)));
      assertThrows(
          IllegalStateException.class,
          () -> Library.impl("lib", DispatchKey.CPU, m -> m.def("more(Tensor a) -> Tensor")));
    }
    assertTrue(Dispatcher.find("lib::pick").isEmpty());
  }

  @Test
  void handlesOfAnOperatorThatWasTakenBackSaySo() {
    Operator op;
    try (var _ = pick()) {
      op = Dispatcher.operator("lib::pick");
    }
    Exception e = assertThrows(IllegalStateException.class, () -> op.call(X));
    assertTrue(e.getMessage().contains("was closed"), e.getMessage());
  }

  @Test
  void compositesServeEveryDeviceAndADevicesOwnKernelComesFirst() {
    try (var _ =
        Library.define(
            "lib",
            m -> {
              m.def("pick(Tensor self, int n=7) -> Tensor");
              m.impl("pick", LibraryTest::first);
            })) {
      assertSame(X, call(Y));
      assertEquals(
          List.of(DispatchKey.COMPOSITE_IMPLICIT_AUTOGRAD),
          Dispatcher.operator("lib::pick").keys());
      try (var _ =
          Library.impl(
              "lib",
              DispatchKey.COMPOSITE_EXPLICIT_AUTOGRAD,
              m -> m.impl("pick", LibraryTest::second))) {
        assertSame(Y, call(X));
        try (var _ =
            Library.impl("lib", DispatchKey.CPU, m -> m.impl("pick", LibraryTest::first))) {
          assertSame(X, call(Y));
        }
      }
    }
  }

  @Test
  void fallbacksServeWhatNothingElseDoesInTheirNamespaceOrInAll() {
    try (var _ = pick()) {
      Kernel.Boxed other = (op, keys, args) -> Y;
      try (var _ = Library.impl("elsewhere", DispatchKey.CPU, m -> m.fallback(other))) {
        assertThrows(NoKernelException.class, () -> call(X));
      }
      try (var _ = Library.impl("_", DispatchKey.CPU, m -> m.fallback(other))) {
        assertSame(Y, call(X));
        try (var _ =
            Library.impl("lib", DispatchKey.CPU, m -> m.impl("pick", LibraryTest::first))) {
          assertSame(X, call(X));
        }
      }
      assertThrows(
          IllegalStateException.class,
          () -> Library.impl("_", DispatchKey.AUTOGRAD, m -> m.fallback(other)));
    }
  }

  @Test
  void anAutogradKernelIsServedFirstAndCanCallTheNext() {
    try (var _ = pick();
        var _ = Library.impl("lib", DispatchKey.CPU, m -> m.impl("pick", LibraryTest::second));
        var _ =
            Library.impl(
                "lib",
                DispatchKey.AUTOGRAD_CPU,
                m ->
                    m.boxed(
                        "pick",
                        (op, keys, args) ->
                            (long) args[1] == 1
                                ? null
                                : op.redispatch(keys.without(DispatchKeySet.AUTOGRADS), args)))) {
      assertNull(call(X, 1));
      assertSame(Y, call(X, 2));
      try (var _ = Dispatcher.belowAutograd()) {
        assertSame(Y, call(X, 1));
      }
      try (var _ = Dispatcher.exclude(DispatchKeySet.AUTOGRADS)) {
        assertSame(Y, call(X, 1));
      }
    }
  }

  @Test
  void argumentsAreCompletedConvertedAndRefused() {
    try (var _ =
            Library.define(
                "lib",
                m ->
                    m.def(
                        "all(Tensor self, int[2] size, float p=0.5, *, Scalar s=1, Tensor? t=None,"
                            + " bool b=False) -> Tensor"));
        var _ =
            Library.impl(
                "lib",
                DispatchKey.CPU,
                m ->
                    m.boxed(
                        "all",
                        (op, keys, args) -> {
                          assertEquals(2, ((long[]) args[1])[1]);
                          assertEquals(3.0, args[2]);
                          assertEquals(Scalar.of(4), args[3]);
                          assertNull(args[4]);
                          assertEquals(false, args[5]);
                          return args[0];
                        }))) {
      assertSame(X, Dispatcher.call("lib::all", X, List.of(1, 2), 3, 4));
      wrong("argument 'size' is missing", X);
      wrong("argument 'self' is Tensor and cannot be null", null, List.of(1, 2));
      wrong("argument 'p' is float and cannot be String", X, List.of(1, 2), "x");
      wrong("7 arguments given, at most 6", X, List.of(1, 2), 1, 1, null, true, 1);
    }
  }

  private static void wrong(String why, Object... args) {
    Exception e =
        assertThrows(IllegalArgumentException.class, () -> Dispatcher.call("lib::all", args));
    assertTrue(e.getMessage().contains(why), e.getMessage());
  }
}
