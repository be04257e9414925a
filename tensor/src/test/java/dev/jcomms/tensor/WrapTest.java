package dev.jcomms.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory that is already there: shared both ways, checked on the way in. */
final class WrapTest {
  @Test
  void arraysAreSharedBothWays() {
    float[] floats = {1, 2, 3, 4};
    Tensor t = Tensor.wrap(floats, Shape.of(2, 2));
    floats[3] = 9;
    t.set(7, 0, 0);
    assertThat(t.getFloat(1, 1)).isEqualTo(9);
    assertThat(floats[0]).isEqualTo(7);
    double[] doubles = {1, 2};
    Tensor.wrap(doubles).fill(3);
    long[] longs = {1, 2};
    Tensor.wrap(longs).fill(4);
    int[] ints = {1, 2};
    Tensor.wrap(ints).fill(5);
    short[] shorts = {1, 2};
    Tensor.wrap(shorts).fill(6);
    byte[] bytes = {1, 2};
    Tensor.wrap(bytes).fill(7);
    assertThat(doubles).containsExactly(3, 3);
    assertThat(longs).containsExactly(4, 4);
    assertThat(ints).containsExactly(5, 5);
    assertThat(shorts).containsExactly(6, 6);
    assertThat(bytes).containsExactly(7, 7);
  }

  @Test
  void shortsAndBytesCarryTheSmallDtypes() {
    short[] shorts = {0x3c00, 0x3f80};
    assertThat(Tensor.wrap(shorts, DType.F16, Shape.of(2)).getFloat(0)).isEqualTo(1f);
    assertThat(Tensor.wrap(shorts, DType.BF16, Shape.of(2)).getFloat(1)).isEqualTo(1f);
    byte[] bytes = {0x38, 0x3c, -1};
    assertThat(Tensor.wrap(bytes, DType.F8E4M3, Shape.of(3)).getFloat(0)).isEqualTo(1f);
    assertThat(Tensor.wrap(bytes, DType.F8E5M2, Shape.of(3)).getFloat(1)).isEqualTo(1f);
    assertThat(Tensor.wrap(bytes, DType.U8, Shape.of(3)).getInt(2)).isEqualTo(255);
    assertThat(Tensor.wrap(bytes).getInt(2)).isEqualTo(-1);
    assertThat(Tensor.wrap(bytes, DType.BOOL, Shape.of(3)).getBoolean(2)).isTrue();
    assertThatThrownBy(() -> Tensor.wrap(shorts, DType.F32, Shape.of(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("an array of 2-byte numbers cannot be f32, which has bytes=4");
    assertThatThrownBy(() -> Tensor.wrap(bytes, DType.I16, Shape.of(1)))
        .hasMessage("an array of 1-byte numbers cannot be i16, which has bytes=2");
  }

  @Test
  void theShapeMustNeedExactlyTheMemory() {
    assertThatThrownBy(() -> Tensor.wrap(new float[6], Shape.of(2, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shape=[2, 2] of f32 needs bytes=16; memory has bytes=24");
    assertThatThrownBy(() -> Tensor.wrap(new float[6], Shape.of(7)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Tensor.wrap(new float[0]).elements()).isZero();
    assertThat(Tensor.wrap(new float[1], Shape.scalar()).shape().dims()).isZero();
  }

  @Test
  void buffersAreSharedFromPositionToLimit() {
    for (ByteBuffer buffer :
        new ByteBuffer[] {ByteBuffer.allocate(20), ByteBuffer.allocateDirect(20)}) {
      buffer.order(ByteOrder.nativeOrder()).putInt(9, 42).position(5).limit(13); // not aligned
      Tensor t = Tensor.wrap(buffer, DType.I32, Shape.of(2));
      assertThat(t.toIntArray()).containsExactly(0, 42);
      t.fill(-1);
      assertThat(buffer.getInt(5)).isEqualTo(-1);
      assertThat(buffer.get(4)).isZero();
      assertThat(buffer.position()).isEqualTo(5);
    }
  }

  @Test
  void aBufferInTheOtherOrderIsRefusedUnlessElementsAreBytes() {
    ByteOrder other =
        ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
            ? ByteOrder.LITTLE_ENDIAN
            : ByteOrder.BIG_ENDIAN;
    ByteBuffer buffer = ByteBuffer.allocate(8).order(other);
    assertThatThrownBy(() -> Tensor.wrap(buffer, DType.F32, Shape.of(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "buffer order="
                + other
                + " is not the machine's "
                + ByteOrder.nativeOrder()
                + "; set it with order(ByteOrder.nativeOrder()) if the bytes are in that order");
    assertThat(Tensor.wrap(buffer, DType.U8, Shape.of(8)).elements()).isEqualTo(8);
  }

  @Test
  void readOnlyMemoryIsReadAndNeverWritten() {
    ByteBuffer buffer = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder()).putFloat(4, 2f);
    ByteBuffer readOnly = buffer.asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    Tensor t = Tensor.wrap(readOnly, DType.F32, Shape.of(2));
    assertThat(t.toFloatArray()).containsExactly(0, 2);
    assertThat(t.storage().isReadOnly()).isTrue();
    assertThatThrownBy(() -> t.set(1, 0))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("set: the memory of f32 shape=[2] strides=[1] offset=0 is read-only");
    assertThatThrownBy(() -> t.narrow(0, 0, 1).fill(1))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("fill: the memory of f32 shape=[1] strides=[1] offset=0 is read-only");
    assertThatThrownBy(() -> t.copyFrom(Tensor.of(3f, 4f)))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageStartingWith("copyFrom: the memory of f32");
    assertThat(buffer.getFloat(0)).isZero();
    assertThat(t.copy().fill(1).toFloatArray()).containsExactly(1, 1);
  }

  @Test
  void nativeSegmentsLiveAsLongAsTheirArena() {
    Tensor t;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocateFrom(ValueLayout.JAVA_DOUBLE, 1, 2, 3);
      t = Tensor.wrap(segment, DType.F64, Shape.of(3));
      assertThat(t.segment()).isEqualTo(segment);
      assertThat(t.toDoubleArray()).containsExactly(1, 2, 3);
    }
    assertThatThrownBy(() -> t.getDouble(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void mappedFilesAreTensorsToo(@TempDir Path folder) throws IOException {
    try (FileChannel file =
            FileChannel.open(
                folder.resolve("x"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      MemorySegment map = file.map(FileChannel.MapMode.READ_WRITE, 0, 16, arena);
      Tensor.wrap(map, DType.I64, Shape.of(2)).copyFrom(Tensor.of(5, 6));
      MemorySegment again = file.map(FileChannel.MapMode.READ_ONLY, 0, 16, arena);
      assertThat(Tensor.wrap(again, DType.I64, Shape.of(2)).toLongArray()).containsExactly(5, 6);
    }
  }
}
