package dev.jcomms.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Every way to make a {@link Tensor} that is not a view of another: the static methods of {@code
 * Tensor}, which inherits them and through which alone they are called.
 */
abstract sealed class Creation permits Differentiable {
  Creation() {}

  // ---- new tensors

  /** Zeros of {@link DType#F32}. */
  public static Tensor zeros(Shape shape) {
    return zeros(DType.F32, shape);
  }

  public static Tensor zeros(DType dtype, Shape shape) {
    return over(Storage.allocate(shape.bytes(dtype)), dtype, shape);
  }

  public static Tensor ones(Shape shape) {
    return full(DType.F32, shape, 1);
  }

  public static Tensor ones(DType dtype, Shape shape) {
    return full(dtype, shape, 1);
  }

  /** A tensor whose content no caller may rely on: its memory may have been another's. */
  public static Tensor empty(Shape shape) {
    return empty(DType.F32, shape);
  }

  public static Tensor empty(DType dtype, Shape shape) {
    return over(Storage.reuse(shape.bytes(dtype)), dtype, shape);
  }

  public static Tensor full(Shape shape, double value) {
    return full(DType.F32, shape, value);
  }

  public static Tensor full(DType dtype, Shape shape, double value) {
    return empty(dtype, shape).fill(value);
  }

  /** As the other, exact for every {@code long}. */
  public static Tensor full(DType dtype, Shape shape, long value) {
    return empty(dtype, shape).fill(value);
  }

  /** A 0-d tensor of {@link DType#F32}. */
  public static Tensor scalar(double value) {
    return full(DType.F32, Shape.scalar(), value);
  }

  /** A 0-d tensor of {@link DType#I64}. */
  public static Tensor scalar(long value) {
    return full(DType.I64, Shape.scalar(), value);
  }

  public static Tensor scalar(DType dtype, double value) {
    return full(dtype, Shape.scalar(), value);
  }

  public static Tensor scalar(DType dtype, long value) {
    return full(dtype, Shape.scalar(), value);
  }

  /** From start (0) up to, without, end, in steps (1): {@link DType#I64} of whole numbers. */
  public static Tensor arange(long end) {
    return arange(DType.I64, 0, end, 1);
  }

  public static Tensor arange(long start, long end) {
    return arange(DType.I64, start, end, 1);
  }

  public static Tensor arange(long start, long end, long step) {
    return arange(DType.I64, start, end, step);
  }

  public static Tensor arange(DType dtype, long start, long end, long step) {
    return Sequences.arange(dtype, start, end, step);
  }

  /** As above, {@link DType#F32} of fractions: {@code start + i * step} in f64, rounded once. */
  public static Tensor arange(double end) {
    return arange(DType.F32, 0, end, 1);
  }

  public static Tensor arange(double start, double end) {
    return arange(DType.F32, start, end, 1);
  }

  public static Tensor arange(double start, double end, double step) {
    return arange(DType.F32, start, end, step);
  }

  public static Tensor arange(DType dtype, double start, double end, double step) {
    return Sequences.arange(dtype, start, end, step);
  }

  /**
   * Numbers that look random and depend only on seed, dtype and position, on every machine: uniform
   * in [0, 1) for floats, with as many bits as the dtype holds; -8 to 7 for signed integers and 0
   * to 15 for {@link DType#U8}, so that sums over a few ranks stay in range; both booleans alike.
   */
  public static Tensor random(DType dtype, Shape shape, long seed) {
    return Sequences.random(dtype, shape, seed);
  }

  /** As {@link #random}, with mean 0 and variance 1; floating dtypes only. */
  public static Tensor randn(DType dtype, Shape shape, long seed) {
    return Sequences.randn(dtype, shape, seed);
  }

  /** A 1-d tensor with a copy of the values; the dtype is that of the Java type. */
  public static Tensor of(float... values) {
    return wrap(values).copy();
  }

  public static Tensor of(double... values) {
    return wrap(values).copy();
  }

  public static Tensor of(long... values) {
    return wrap(values).copy();
  }

  public static Tensor of(int... values) {
    return wrap(values).copy();
  }

  public static Tensor of(byte... values) {
    return wrap(values).copy();
  }

  public static Tensor of(boolean... values) {
    Tensor t = empty(DType.BOOL, Shape.of(values.length));
    for (int i = 0; i < values.length; i++) {
      t.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (values[i] ? 1 : 0));
    }
    return t;
  }

  // ---- memory that is already there, not copied: writes on either side are seen on the other

  public static Tensor wrap(float[] array) {
    return wrap(array, Shape.of(array.length));
  }

  public static Tensor wrap(float[] array, Shape shape) {
    return wrap(MemorySegment.ofArray(array), DType.F32, shape);
  }

  public static Tensor wrap(double[] array) {
    return wrap(array, Shape.of(array.length));
  }

  public static Tensor wrap(double[] array, Shape shape) {
    return wrap(MemorySegment.ofArray(array), DType.F64, shape);
  }

  public static Tensor wrap(long[] array) {
    return wrap(array, Shape.of(array.length));
  }

  public static Tensor wrap(long[] array, Shape shape) {
    return wrap(MemorySegment.ofArray(array), DType.I64, shape);
  }

  public static Tensor wrap(int[] array) {
    return wrap(array, Shape.of(array.length));
  }

  public static Tensor wrap(int[] array, Shape shape) {
    return wrap(MemorySegment.ofArray(array), DType.I32, shape);
  }

  /** As {@link DType#I16}. */
  public static Tensor wrap(short[] array) {
    return wrap(array, DType.I16, Shape.of(array.length));
  }

  /** As any dtype of two bytes. */
  public static Tensor wrap(short[] array, DType dtype, Shape shape) {
    return wrap(MemorySegment.ofArray(array), requireBytes(2, dtype), shape);
  }

  /** As {@link DType#I8}. */
  public static Tensor wrap(byte[] array) {
    return wrap(array, DType.I8, Shape.of(array.length));
  }

  /** As any dtype of one byte. */
  public static Tensor wrap(byte[] array, DType dtype, Shape shape) {
    return wrap(MemorySegment.ofArray(array), requireBytes(1, dtype), shape);
  }

  /**
   * The buffer's bytes between position and limit, heap or direct. Elements are in the machine's
   * own byte order; a buffer set to the other order is refused (unless the dtype has one byte),
   * because Java's default order would otherwise pass unnoticed: call {@code order(nativeOrder())}
   * on it.
   */
  public static Tensor wrap(ByteBuffer buffer, DType dtype, Shape shape) {
    if (buffer.order() != ByteOrder.nativeOrder() && dtype.bytes() > 1) {
      throw new IllegalArgumentException(
          "buffer order="
              + buffer.order()
              + " is not the machine's "
              + ByteOrder.nativeOrder()
              + "; set it with order(ByteOrder.nativeOrder()) if the bytes are in that order");
    }
    return wrap(MemorySegment.ofBuffer(buffer), dtype, shape);
  }

  /** The whole of a segment that Java can access. It must have exactly the tensor's bytes. */
  public static Tensor wrap(MemorySegment segment, DType dtype, Shape shape) {
    return over(Storage.of(segment), dtype, shape);
  }

  // ---- memory that somebody manages: a device, another library

  /** A contiguous tensor over the whole of a storage. */
  public static Tensor over(Storage storage, DType dtype, Shape shape) {
    long bytes = shape.bytes(dtype);
    if (bytes != storage.bytes()) {
      throw new IllegalArgumentException(
          "shape="
              + shape
              + " of "
              + dtype
              + " needs bytes="
              + bytes
              + "; memory has bytes="
              + storage.bytes());
    }
    return new Tensor(storage, dtype, shape, shape.contiguousStrides(), 0);
  }

  /**
   * Any view of a storage: strides and offset count elements. Strides may be zero, not negative.
   *
   * @throws IllegalArgumentException if an element would lie outside the storage
   */
  public static Tensor over(
      Storage storage, DType dtype, Shape shape, long[] strides, long offset) {
    boolean fits = strides.length == shape.dims() && offset >= 0;
    long end = offset;
    for (int d = 0; fits && d < strides.length; d++) {
      long steps = Math.max(0, shape.sizes()[d] - 1);
      fits = strides[d] >= 0 && (steps == 0 || strides[d] <= (Long.MAX_VALUE - end) / steps);
      end += fits ? strides[d] * steps : 0;
    }
    long capacity = storage.bytes() / dtype.bytes();
    if (!fits || (shape.elements() > 0 && end >= capacity)) {
      throw new IllegalArgumentException(
          "shape="
              + shape
              + " strides="
              + Arrays.toString(strides)
              + " offset="
              + offset
              + " of "
              + dtype
              + " does not fit memory of elements="
              + capacity);
    }
    return new Tensor(storage, dtype, shape, strides.clone(), offset);
  }

  private static DType requireBytes(int bytes, DType dtype) {
    if (dtype.bytes() != bytes) {
      throw new IllegalArgumentException(
          "an array of "
              + bytes
              + "-byte numbers cannot be "
              + dtype
              + ", which has bytes="
              + dtype.bytes());
    }
    return dtype;
  }
}
