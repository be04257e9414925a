package dev.jcomms.tensor;

import dev.jcomms.tensor.internal.Elements;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A typed, shaped, strided view over a {@link Storage}. Made by the static methods here, by views
 * of other tensors, and by device providers through {@link #over}.
 *
 * <p>The header never changes and any thread may use it; the elements are shared, unsynchronised
 * memory, seen by every view of the same storage. {@code equals} is identity; values are compared
 * by {@link #equal} and {@link #allClose}.
 *
 * <p>Rules are PyTorch's: negative dimensions and indexes count from the end, {@link #slice}
 * clamps, {@link #copyFrom} converts and broadcasts. Numbers convert as by {@code Tensor.to}:
 * floats to integers toward zero, integers by dropping high bits, anything to boolean by not being
 * zero, narrower floats by rounding to nearest even. A float beyond the integer type, where PyTorch
 * leaves the result open, is first clamped to a {@code long} (NaN is 0).
 *
 * <p>New tensors are on the CPU, in native memory as {@link Storage} describes, and contiguous.
 * Methods that take an operator's place ({@code add}, {@code matmul}) are not here: they belong to
 * the dispatcher.
 */
public final class Tensor {
  private final Storage storage;
  private final DType dtype;
  private final Shape shape;
  private final long[] strides;
  private final long offset;
  private final long bytes;
  private final MemorySegment segment; // null if not contiguous

  /** Trusts its caller: the view is inside the storage, and the array is not shared. */
  private Tensor(Storage storage, DType dtype, Shape shape, long[] strides, long offset) {
    this.storage = storage;
    this.dtype = dtype;
    this.shape = shape;
    this.strides = strides;
    this.offset = offset;
    this.bytes = bytesOf(dtype, shape);
    this.segment =
        contiguous(shape, strides) ? slice(storage.segment(), offset * dtype.bytes(), bytes) : null;
  }

  /** A contiguous tensor over the whole of a storage. */
  public static Tensor over(Storage storage, DType dtype, Shape shape) {
    long bytes = bytesOf(dtype, shape);
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
    if (!fits || (shape.elements() == 0 ? offset > capacity : end >= capacity)) {
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

  // ---- new tensors

  /** Zeros of {@link DType#F32}. */
  public static Tensor zeros(Shape shape) {
    return empty(DType.F32, shape);
  }

  public static Tensor zeros(DType dtype, Shape shape) {
    return empty(dtype, shape);
  }

  public static Tensor ones(Shape shape) {
    return full(DType.F32, shape, 1);
  }

  public static Tensor ones(DType dtype, Shape shape) {
    return full(dtype, shape, 1);
  }

  /** A tensor whose content no caller may rely on. (It is zero: new native memory always is.) */
  public static Tensor empty(Shape shape) {
    return empty(DType.F32, shape);
  }

  public static Tensor empty(DType dtype, Shape shape) {
    return over(Storage.allocate(bytesOf(dtype, shape)), dtype, shape);
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

  /** As above, {@link DType#F32} of numbers that may have a fraction. */
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
      t.segment.set(ValueLayout.JAVA_BYTE, i, (byte) (values[i] ? 1 : 0));
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

  // ---- the header

  public Storage storage() {
    return storage;
  }

  public DType dtype() {
    return dtype;
  }

  public Device device() {
    return storage.device();
  }

  public Shape shape() {
    return shape;
  }

  /** A copy of the strides, in elements. */
  public long[] strides() {
    return strides.clone();
  }

  /** Elements of the storage before the first one of this view. */
  public long offset() {
    return offset;
  }

  public long elements() {
    return shape.elements();
  }

  /** Bytes of all elements: not the memory that a strided or expanded view spans. */
  public long bytes() {
    return bytes;
  }

  /** Whether the elements lie one after the other in logical order. An empty tensor's do. */
  public boolean isContiguous() {
    return segment != null;
  }

  /**
   * Exactly this tensor's bytes, shared. Whoever passes its address to native code keeps the tensor
   * reachable until that code is done.
   *
   * @throws IllegalStateException if the tensor is not contiguous
   */
  public MemorySegment segment() {
    if (segment == null) {
      throw new IllegalStateException(
          "segment: tensor is not contiguous: " + facts() + "; use contiguous()");
    }
    return segment;
  }

  // ---- views

  /** {@code length} indexes of one dimension from {@code start} on. */
  public Tensor narrow(int dim, long start, long length) {
    return Views.narrow(this, dim, start, length);
  }

  /** Python's {@code start:end:step} on one dimension: clamped, never out of bounds. */
  public Tensor slice(int dim, long start, long end, long step) {
    return Views.slice(this, dim, start, end, step);
  }

  /** One index of a dimension, which goes away. */
  public Tensor select(int dim, long index) {
    return Views.select(this, dim, index);
  }

  public Tensor transpose(int a, int b) {
    return Views.transpose(this, a, b);
  }

  /** Transposes a 2-d tensor; fewer dimensions come back as they are. */
  public Tensor t() {
    return Views.t(this);
  }

  public Tensor permute(int... order) {
    return Views.permute(this, order);
  }

  /**
   * The same elements in logical order under another shape; one size may be -1.
   *
   * @throws IllegalArgumentException if the counts differ, or the strides would need a copy
   */
  public Tensor view(long... sizes) {
    return Views.view(this, sizes);
  }

  public Tensor view(Shape shape) {
    return Views.view(this, shape.sizes());
  }

  /** A view where {@link #view} gives one, a copy otherwise. */
  public Tensor reshape(long... sizes) {
    return Views.reshape(this, sizes);
  }

  public Tensor reshape(Shape shape) {
    return Views.reshape(this, shape.sizes());
  }

  /** One dimension of all elements: a view or a copy as {@link #reshape}. */
  public Tensor flatten() {
    return shape.dims() == 1 ? this : reshape(-1);
  }

  /** Inserts a dimension of size 1 before {@code dim}. */
  public Tensor unsqueeze(int dim) {
    return Views.unsqueeze(this, dim);
  }

  /** Drops every dimension of size 1. */
  public Tensor squeeze() {
    return Views.squeeze(this);
  }

  /** Drops one dimension if its size is 1. */
  public Tensor squeeze(int dim) {
    return Views.squeeze(this, dim);
  }

  /** Repeats dimensions of size 1, and new leading ones, without memory; -1 keeps a size. */
  public Tensor expand(long... sizes) {
    return Views.expand(this, sizes);
  }

  public Tensor expand(Shape shape) {
    return Views.expand(this, shape.sizes());
  }

  /** This tensor if contiguous, a copy otherwise. */
  public Tensor contiguous() {
    return segment != null ? this : copy();
  }

  /** A new contiguous tensor with these elements. */
  public Tensor copy() {
    return empty(dtype, shape).copyFrom(this);
  }

  /** This tensor if it has that dtype, a converted copy otherwise. */
  public Tensor to(DType dtype) {
    return dtype == this.dtype ? this : empty(dtype, shape).copyFrom(this);
  }

  // ---- one element; as many indexes as dimensions, none for a 0-d tensor

  public float getFloat(long i) {
    return loadFloat(at(i));
  }

  public float getFloat(long... index) {
    return loadFloat(at(index));
  }

  public double getDouble(long i) {
    return loadDouble(at(i));
  }

  public double getDouble(long... index) {
    return loadDouble(at(index));
  }

  public long getLong(long i) {
    return loadLong(at(i));
  }

  public long getLong(long... index) {
    return loadLong(at(index));
  }

  public int getInt(long i) {
    return (int) loadLong(at(i));
  }

  public int getInt(long... index) {
    return (int) loadLong(at(index));
  }

  public boolean getBoolean(long i) {
    return loadDouble(at(i)) != 0;
  }

  public boolean getBoolean(long... index) {
    return loadDouble(at(index)) != 0;
  }

  /** Writes a number, converted to the dtype; returns this tensor. */
  public Tensor set(double value, long i) {
    return store(value, at(i));
  }

  public Tensor set(double value, long... index) {
    return store(value, at(index));
  }

  public Tensor setFloat(float value, long i) {
    return store(value, at(i));
  }

  public Tensor setFloat(float value, long... index) {
    return store(value, at(index));
  }

  public Tensor setDouble(double value, long i) {
    return store(value, at(i));
  }

  public Tensor setDouble(double value, long... index) {
    return store(value, at(index));
  }

  public Tensor setLong(long value, long i) {
    return store(value, at(i));
  }

  public Tensor setLong(long value, long... index) {
    return store(value, at(index));
  }

  public Tensor setInt(int value, long i) {
    return store((long) value, at(i));
  }

  public Tensor setInt(int value, long... index) {
    return store((long) value, at(index));
  }

  public Tensor setBoolean(boolean value, long i) {
    return store(value ? 1L : 0L, at(i));
  }

  public Tensor setBoolean(boolean value, long... index) {
    return store(value ? 1L : 0L, at(index));
  }

  // ---- all elements

  /** The elements in logical order, converted; so too the other arrays. */
  public float[] toFloatArray() {
    float[] out = new float[arrayLength()];
    wrap(out, shape).copyFrom(this);
    return out;
  }

  public double[] toDoubleArray() {
    double[] out = new double[arrayLength()];
    wrap(out, shape).copyFrom(this);
    return out;
  }

  public long[] toLongArray() {
    long[] out = new long[arrayLength()];
    wrap(out, shape).copyFrom(this);
    return out;
  }

  public int[] toIntArray() {
    int[] out = new int[arrayLength()];
    wrap(out, shape).copyFrom(this);
    return out;
  }

  /** The elements as {@link DType#I8}; a {@link DType#U8} above 127 comes out negative. */
  public byte[] toByteArray() {
    byte[] out = new byte[arrayLength()];
    wrap(out, DType.I8, shape).copyFrom(this);
    return out;
  }

  /**
   * Writes the source's elements here, converted and broadcast; returns this tensor. The two may
   * overlap: what is written is what the source held before.
   */
  public Tensor copyFrom(Tensor source) {
    Copies.copy(this, source);
    return this;
  }

  /** Writes one number everywhere; returns this tensor. */
  public Tensor fill(double value) {
    Copies.fill(this, value);
    return this;
  }

  public Tensor fill(long value) {
    Copies.fill(this, value);
    return this;
  }

  public Tensor zero() {
    return fill(0L);
  }

  /**
   * Whether shapes are the same and all values equal: a NaN equals nothing, zeros equal each other.
   * Different dtypes are compared by value.
   */
  public boolean equal(Tensor other) {
    return Comparisons.equal(this, other);
  }

  /** {@link #allClose(Tensor, double, double, boolean)} with PyTorch's 1e-5, 1e-8 and false. */
  public boolean allClose(Tensor other) {
    return allClose(other, 1e-5, 1e-8, false);
  }

  /**
   * Whether {@code |this - other| <= atol + rtol * |other|} for every element, reckoned in f64 with
   * shapes broadcast; infinities are close to themselves only.
   *
   * @throws IllegalArgumentException if the dtypes differ
   */
  public boolean allClose(Tensor other, double rtol, double atol, boolean equalNan) {
    return Comparisons.allClose(this, other, rtol, atol, equalNan);
  }

  /** What PyTorch prints, with its default options. */
  @Override
  public String toString() {
    String text = Printer.print(this);
    Reference.reachabilityFence(this);
    return text;
  }

  // ---- for this package

  /** Another view over the storage, which the caller knows to be inside this one. */
  Tensor view(Shape shape, long[] strides, long offset) {
    return new Tensor(storage, dtype, shape, strides, offset);
  }

  /** The strides themselves; not to be written. */
  long[] ownStrides() {
    return strides;
  }

  /** Elements from the first one to the farthest one; the tensor must not be empty. */
  long reach() {
    long reach = 0;
    for (int d = 0; d < strides.length; d++) {
      reach += (shape.sizes()[d] - 1) * strides[d];
    }
    return reach;
  }

  /** The storage's memory, for reading. */
  MemorySegment readable(String what) {
    if (storage.isOpaque()) {
      throw new IllegalStateException(
          what
              + ": Java cannot access the memory of "
              + facts()
              + " on "
              + device()
              + "; copy it to the cpu");
    }
    return storage.segment();
  }

  /** The storage's memory, for writing. */
  MemorySegment writable(String what) {
    if (storage.isReadOnly()) {
      throw new UnsupportedOperationException(
          what + ": the memory of " + facts() + " is read-only");
    }
    return readable(what);
  }

  /** The header in one line, for messages. */
  String facts() {
    return dtype + " shape=" + shape + " strides=" + Arrays.toString(strides) + " offset=" + offset;
  }

  private double loadDouble(long at) {
    double value = Elements.getDouble(readable("get"), dtype, at);
    Reference.reachabilityFence(this);
    return value;
  }

  private float loadFloat(long at) {
    float value = Elements.getFloat(readable("get"), dtype, at);
    Reference.reachabilityFence(this);
    return value;
  }

  private long loadLong(long at) {
    long value = Elements.getLong(readable("get"), dtype, at);
    Reference.reachabilityFence(this);
    return value;
  }

  private Tensor store(double value, long at) {
    Elements.putDouble(writable("set"), dtype, at, value);
    Reference.reachabilityFence(this);
    return this;
  }

  private Tensor store(long value, long at) {
    Elements.putLong(writable("set"), dtype, at, value);
    Reference.reachabilityFence(this);
    return this;
  }

  /** The byte offset of an element of a 1-d tensor. */
  private long at(long i) {
    if (strides.length != 1) {
      throw wrongIndexes(i);
    }
    return (offset + position(0, i) * strides[0]) * dtype.bytes();
  }

  private long at(long... index) {
    if (strides.length != index.length) {
      throw wrongIndexes(index);
    }
    long at = offset;
    for (int d = 0; d < index.length; d++) {
      at += position(d, index[d]) * strides[d];
    }
    return at * dtype.bytes();
  }

  private long position(int dim, long i) {
    long size = shape.sizes()[dim];
    if (i < -size || i >= size) {
      throw new IndexOutOfBoundsException(
          "index=" + i + " is out of range of dim=" + dim + " of size=" + size);
    }
    return i < 0 ? i + size : i;
  }

  private IndexOutOfBoundsException wrongIndexes(long... index) {
    return new IndexOutOfBoundsException(
        "index="
            + Arrays.toString(index)
            + " has "
            + index.length
            + " indexes; shape="
            + shape
            + " has dims="
            + shape.dims());
  }

  private int arrayLength() {
    if (elements() > Integer.MAX_VALUE - 8) {
      throw new IllegalStateException("elements=" + elements() + " do not fit a Java array");
    }
    return (int) elements();
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

  private static long bytesOf(DType dtype, Shape shape) {
    if (shape.elements() > Long.MAX_VALUE / dtype.bytes()) {
      throw new IllegalArgumentException(
          "shape=" + shape + " of " + dtype + " has more bytes than a long can count");
    }
    return shape.elements() * dtype.bytes();
  }

  private static boolean contiguous(Shape shape, long[] strides) {
    if (shape.elements() == 0) {
      return true;
    }
    long expected = 1;
    for (int d = strides.length - 1; d >= 0; d--) {
      long size = shape.sizes()[d];
      if (size != 1) {
        if (strides[d] != expected) {
          return false;
        }
        expected *= size;
      }
    }
    return true;
  }

  private static MemorySegment slice(MemorySegment memory, long from, long bytes) {
    if (bytes == memory.byteSize()) {
      return memory;
    }
    return memory.asSlice(bytes == 0 ? 0 : from, bytes); // an empty view may start past the end
  }
}
