package dev.jcomms.tensor.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.spi.OperatorLibrary;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Libraries that modules provide, in whatever order they come; and registration while others call.
 */
final class LibrariesTest {
  private static final Tensor X = Tensor.zeros(Shape.of(1));

  private final List<RegistrationHandle> made = new ArrayList<>();

  @AfterEach
  void undo() {
    made.reversed().forEach(RegistrationHandle::close);
  }

  private OperatorLibrary definer() {
    return () -> made.add(Library.define("late", m -> m.def("answer(Tensor self) -> int")));
  }

  private OperatorLibrary implementer(List<String> calls) {
    return () -> {
      calls.add("register");
      made.add(Library.define("early", m -> m.def("own(Tensor self) -> int")));
      made.add(Library.impl("late", DispatchKey.CPU, m -> m.boxed("answer", (_, _, _) -> 42L)));
    };
  }

  @Test
  void kernelsMayBeProvidedBeforeTheirOperators() {
    List<String> calls = new ArrayList<>();
    Libraries.register(List.of(implementer(calls), definer()));
    assertThat(calls).hasSize(2);
    assertThat(Dispatcher.call("late::answer", X)).isEqualTo(42L);
    assertThat(Dispatcher.find("early::own")).isPresent();
  }

  @Test
  void aLibraryWhoseOperatorsNobodyDefinesIsLeftOutWhole() {
    Libraries.register(List.of(implementer(new ArrayList<>())));
    assertThat(Dispatcher.find("late::answer")).isEmpty();
    assertThat(Dispatcher.find("early::own")).isEmpty();
  }

  @Test
  void aLibraryThatFailsIsLeftOutWholeAndTheOthersStay() {
    OperatorLibrary broken =
        () -> {
          made.add(Library.define("early", m -> m.def("own(Tensor self) -> int")));
          throw new IllegalStateException("no chip found");
        };
    Libraries.register(List.of(broken, definer()));
    assertThat(Dispatcher.find("early::own")).isEmpty();
    assertThat(Dispatcher.find("late::answer")).isPresent();
  }

  @Test
  void aNameThatIsAlmostRightBringsTheRightOne() {
    for (var slip :
        Map.of(
                "aten::add", "aten::add.Tensor",
                "neg", "aten::neg",
                "aten::sofmax", "aten::softmax.int",
                "aten::addd.Tensor", "aten::add.Tensor",
                "mine::relu", "aten::relu",
                "aten::matmull", "aten::matmul")
            .entrySet()) {
      assertThatThrownBy(() -> Dispatcher.operator(slip.getKey()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("no operator named '" + slip.getKey() + "'; similar: [")
          .hasMessageContaining(slip.getValue());
    }
    assertThatThrownBy(() -> Dispatcher.operator("x::qqqqqqqq"))
        .hasMessageEndingWith("similar: []");
    assertThatThrownBy(() -> Dispatcher.operator("")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theSameFallbackTwiceIsTwoRegistrations() {
    Kernel.Boxed one = (_, _, _) -> 1L;
    Kernel.Boxed two = (_, _, _) -> 2L;
    definer().register();
    made.add(Library.impl("late", DispatchKey.CPU, m -> m.fallback(one)));
    made.add(Library.impl("late", DispatchKey.CPU, m -> m.fallback(two)));
    RegistrationHandle again = Library.impl("late", DispatchKey.CPU, m -> m.fallback(one));
    assertThat(Dispatcher.call("late::answer", X)).isEqualTo(1L);
    again.close();
    assertThat(Dispatcher.call("late::answer", X)).isEqualTo(2L);
  }

  @Test
  void callersSeeOneKernelOrTheOtherWhileRegistrationsComeAndGo() throws InterruptedException {
    definer().register();
    made.add(Library.impl("late", DispatchKey.CPU, m -> m.boxed("answer", (_, _, _) -> 1L)));
    AtomicBoolean over = new AtomicBoolean();
    AtomicReference<Object> wrong = new AtomicReference<>();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      callers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!over.get()) {
                      try {
                        Object answer = Dispatcher.call("late::answer", X);
                        if (!answer.equals(1L) && !answer.equals(2L)) {
                          wrong.set(answer);
                        }
                      } catch (RuntimeException e) {
                        wrong.set(e);
                      }
                    }
                  }));
    }
    for (int i = 0; i < 2_000; i++) {
      RegistrationHandle kernel =
          Library.impl("late", DispatchKey.CPU, m -> m.boxed("answer", (_, _, _) -> 2L));
      RegistrationHandle fallback =
          Library.impl("late", DispatchKey.PRIVATE_USE_3, m -> m.fallback((_, _, _) -> 3L));
      kernel.close();
      assertThat(Dispatcher.call("late::answer", X)).isEqualTo(1L);
      fallback.close();
    }
    over.set(true);
    for (Thread caller : callers) {
      caller.join(10_000);
    }
    assertThat(wrong.get()).isNull();
  }

  @Test
  void whatHasNoKernelIsSaidWithTheNameOfTheDevice() {
    Device device = Device.of("privateuse3");
    Device.rename("privateuse3", "tiny"); // as other tests of this process do
    definer().register();
    Tensor there = Tensor.over(Storage.opaque(0, 4, device, null), DType.F32, Shape.of(1));
    assertThatThrownBy(() -> Dispatcher.call("late::answer", there))
        .isInstanceOf(NoKernelException.class)
        .hasMessageContaining("no kernel for PrivateUse3 (device tiny); keys with one: []");
  }

  @Test
  void anOpaqueStorageHasAnAddressAndNoWayIn() {
    Storage storage = Storage.opaque(0x7000, 12, Device.of("privateuse3"), "block 7");
    assertThat(storage.isOpaque()).isTrue();
    assertThat(storage.bytes()).isEqualTo(12);
    assertThat(storage.owner()).isEqualTo("block 7");
    Tensor t = Tensor.over(storage, DType.F32, Shape.of(3));
    assertThat(t.narrow(0, 1, 2).segment().address()).isEqualTo(0x7004);
    assertThatThrownBy(() -> t.segment().get(ValueLayout.JAVA_FLOAT, 0))
        .isInstanceOfAny(IllegalStateException.class, WrongThreadException.class);
    assertThat(Storage.opaque(0, 0, Device.of("privateuse3"), null).bytes()).isZero();
    assertThatThrownBy(() -> Storage.opaque(-1, 4, Device.of("privateuse3"), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("address=-1 bytes=4");
    assertThatThrownBy(() -> Storage.opaque(8, Long.MAX_VALUE, Device.of("privateuse3"), null))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
