package dev.jcomms.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PrinterTest {
  static List<Golden.Printed> goldens() {
    return Golden.printed();
  }

  @ParameterizedTest
  @MethodSource("goldens")
  void theTextIsPyTorchs(Golden.Printed golden) {
    assertThat(golden.tensor()).hasToString(golden.text());
  }

  @Test
  void theDefaultsNeedNoSuffix() {
    assertThat(Tensor.of(1f, 2f, 3f)).hasToString("tensor([1., 2., 3.])");
    assertThat(Tensor.of(1L, 2, 3, 4).view(2, 2)).hasToString("tensor([[1, 2],\n        [3, 4]])");
    assertThat(Tensor.of(true, false)).hasToString("tensor([ True, False])");
    assertThat(Tensor.scalar(2.5)).hasToString("tensor(2.5000)");
  }

  @Test
  void emptyTensorsTellTheShapeThatBracketsCannot() {
    assertThat(Tensor.empty(Shape.of(0))).hasToString("tensor([])");
    assertThat(Tensor.empty(DType.I64, Shape.of(2, 0)))
        .hasToString("tensor([], size=(2, 0), dtype=torch.int64)");
  }

  @Test
  void otherDevicesAreNamed() {
    Storage storage =
        Storage.host(MemorySegment.ofArray(new float[] {1, 2}), Device.of("cuda:1"), null);
    assertThat(Tensor.over(storage, DType.F32, Shape.of(2)))
        .hasToString("tensor([1., 2.], device='cuda:1')");
  }

  @Test
  void memoryThatJavaCannotReadPrintsItsHeader() {
    Storage storage = Storage.opaque(MemorySegment.ofArray(new long[3]), Device.of("cuda:0"), null);
    assertThat(Tensor.over(storage, DType.I64, Shape.of(3)))
        .hasToString("tensor(..., device='cuda:0', size=(3,), dtype=torch.int64)");
  }
}
