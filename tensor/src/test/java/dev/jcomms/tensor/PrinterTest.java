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
  void exponentsAppearBeyondARatioOfAThousandOrOutsideTheReadable() {
    assertThat(Tensor.of(1f, 1000f)).hasToString("tensor([   1., 1000.])");
    assertThat(Tensor.of(1f, 1001f)).hasToString("tensor([1.0000e+00, 1.0010e+03])");
    assertThat(Tensor.of(1e8f)).hasToString("tensor([100000000.])");
    assertThat(Tensor.of(1e8f + 8)).hasToString("tensor([1.0000e+08])");
    assertThat(Tensor.of(1e-4, 5e-2)).hasToString("tensor([0.0001, 0.0500], dtype=torch.float64)");
    assertThat(Tensor.of(9e-5)).hasToString("tensor([9.0000e-05], dtype=torch.float64)");
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
