package dev.jcomms.tensor;

import dev.jcomms.tensor.autograd.GradMode;
import dev.jcomms.tensor.internal.Elements;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.Transfers;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Arrays;

/**
 * A typed, shaped, strided view over a {@link Storage}. Made by the static methods here, by views
 * of other tensors, and by device providers through {@link #over}.
 *
 * <p>The header never changes and any thread may use it (whether a gradient is wanted is set by the
 * thread that builds the model); the elements are shared, unsynchronised memory, seen by every view
 * of the same storage. {@code equals} is identity; values are compared by {@link #equal} and {@link
 * #allClose}.
 *
 * <p>Rules are PyTorch's: negative dimensions and indexes count from the end, {@link #slice}
 * clamps, {@link #copyFrom} converts and broadcasts. Numbers convert as by {@code Tensor.to}:
 * floats to integers toward zero, integers by dropping high bits, anything to boolean by not being
 * zero, narrower floats by rounding to nearest even. A float beyond the integer type, where PyTorch
 * leaves the result open, is first clamped to a {@code long} (NaN is 0), or to an {@code int} where
 * neither the tensor's floats nor its signed integers have more bits.
 *
 * <p>New tensors are on the CPU, in native memory as {@link Storage} describes, and contiguous.
 * Methods that take an operator's place ({@code add}, {@code matmul}) are those of {@link Ops}, and
 * go through the dispatcher as they do.
 */
public final class Tensor extends Viewing {
  private final Storage storage;
  private final DType dtype;
  private final Shape shape;
  private final long[] strides;
  private final long offset;
  private final long bytes;
  private final MemorySegment segment; // null if not contiguous
  long keys; // where operators on it go
  Object gradient; // what the gradient engine keeps here
  Tensor base; // of a view that gradients follow: the tensor it is a view of, itself none

  private static final long PLAIN = Device.CPU.keys();

  static {
    TensorAccess.set(new Internals());
  }

  /** Trusts its caller: the view is inside the storage, and the array is not shared. */
  Tensor(Storage storage, DType dtype, Shape shape, long[] strides, long offset) {
    this.storage = storage;
    this.dtype = dtype;
    this.shape = shape;
    this.strides = strides;
    this.offset = offset;
    this.bytes = shape.bytes(dtype);
    this.segment =
        shape.isContiguous(strides)
            ? slice(storage.segment(), offset * dtype.bytes(), bytes)
            : null;
    this.keys = storage.device().keys();
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

  /**
   * Writes a number, converted to the dtype; returns this tensor. To the gradient graph it is an
   * in-place operator; but a leaf, or a view of one, is simply given another value.
   */
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
    Copies.copy(wrap(out, shape), this);
    return out;
  }

  public double[] toDoubleArray() {
    double[] out = new double[arrayLength()];
    Copies.copy(wrap(out, shape), this);
    return out;
  }

  public long[] toLongArray() {
    long[] out = new long[arrayLength()];
    Copies.copy(wrap(out, shape), this);
    return out;
  }

  public int[] toIntArray() {
    int[] out = new int[arrayLength()];
    Copies.copy(wrap(out, shape), this);
    return out;
  }

  /** The elements as {@link DType#I8}; a {@link DType#U8} above 127 comes out negative. */
  public byte[] toByteArray() {
    byte[] out = new byte[arrayLength()];
    Copies.copy(wrap(out, DType.I8, shape), this);
    return out;
  }

  /**
   * Writes the source's elements here, converted and broadcast; returns this tensor. The two may
   * overlap: what is written is what the source held before.
   */
  public Tensor copyFrom(Tensor source) {
    if (!isPlain() || !source.isPlain()) {
      return Ops.copy_(this, source);
    }
    Copies.copy(this, source);
    storage.changed();
    return this;
  }

  /** Writes one number everywhere; returns this tensor. */
  public Tensor fill(double value) {
    if (!isPlain()) {
      return Ops.fill_(this, Scalar.of(value));
    }
    Copies.fill(this, value);
    storage.changed();
    return this;
  }

  public Tensor fill(long value) {
    if (!isPlain()) {
      return Ops.fill_(this, Scalar.of(value));
    }
    Copies.fill(this, value);
    storage.changed();
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
    Tensor made = new Tensor(storage, dtype, shape, strides, offset);
    Tensor root = base == null ? this : base;
    if ((root.keys & TensorAccess.GRADIENT) == 0 || GradMode.isEnabled()) {
      made.base = root;
    } else {
      made.keys |= TensorAccess.UNFOLLOWED;
    }
    return made;
  }

  /** Where operators on it go: a view also follows what was written into its base. */
  long keys() {
    Tensor root = base;
    return root == null
        ? keys
        : keys | (root.keys & TensorAccess.REWRITTEN) << 1 | root.keys & TensorAccess.UNFOLLOWED;
  }

  /** Whether methods may go past the dispatcher: on the CPU, with no gradient wanted. */
  boolean isPlain() {
    long now = keys();
    return now == PLAIN || (now & ~TensorAccess.GRADIENT) == PLAIN && !GradMode.isEnabled();
  }

  /** Whether the gradient graph must hear of what is written. */
  private boolean isRecorded() {
    return (keys() & TensorAccess.GRADIENT) != 0
        && GradMode.isEnabled()
        && ((keys() & TensorAccess.UNFOLLOWED) != 0 || !(base == null ? this : base).isLeaf());
  }

  @Override
  Tensor self() {
    return this;
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
    if (device() != Device.CPU) { // Java is about to touch memory that a device may be writing
      Devices.settle(device());
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
    double value =
        storage.isOpaque()
            ? Elements.getDouble(Transfers.element(this, at), dtype, 0)
            : Elements.getDouble(readable("get"), dtype, at);
    Reference.reachabilityFence(this);
    return value;
  }

  private float loadFloat(long at) {
    float value =
        storage.isOpaque()
            ? Elements.getFloat(Transfers.element(this, at), dtype, 0)
            : Elements.getFloat(readable("get"), dtype, at);
    Reference.reachabilityFence(this);
    return value;
  }

  private long loadLong(long at) {
    long value =
        storage.isOpaque()
            ? Elements.getLong(Transfers.element(this, at), dtype, 0)
            : Elements.getLong(readable("get"), dtype, at);
    Reference.reachabilityFence(this);
    return value;
  }

  private Tensor store(double value, long at) {
    if (isRecorded()) {
      Ops.fill_(element(at / dtype.bytes()), Scalar.of(value));
      return this;
    }
    if (storage.isOpaque()) {
      MemorySegment one = Transfers.room(dtype);
      Elements.putDouble(one, dtype, 0, value);
      Transfers.putElement(this, at, one);
    } else {
      Elements.putDouble(writable("set"), dtype, at, value);
    }
    storage.changed();
    Reference.reachabilityFence(this);
    return this;
  }

  private Tensor store(long value, long at) {
    if (isRecorded()) {
      Ops.fill_(element(at / dtype.bytes()), Scalar.of(value));
      return this;
    }
    if (storage.isOpaque()) {
      MemorySegment one = Transfers.room(dtype);
      Elements.putLong(one, dtype, 0, value);
      Transfers.putElement(this, at, one);
    } else {
      Elements.putLong(writable("set"), dtype, at, value);
    }
    storage.changed();
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

  private static MemorySegment slice(MemorySegment memory, long from, long bytes) {
    if (bytes == memory.byteSize()) {
      return memory;
    }
    return memory.asSlice(bytes == 0 ? 0 : from, bytes); // an empty view may start past the end
  }
}
