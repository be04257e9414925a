package dev.jcomms.tensor.internal.cpu;

import dev.jcomms.tensor.DType;
import java.util.function.Consumer;

/**
 * What a pointwise operator does to one element, in each carrier that it is defined for.
 *
 * <p>Operands are {@code a}, {@code b}, {@code c} and parameters {@code p}, {@code q}; a result
 * that is a truth is 1 or 0. Instances are constants: each compiles loops of its own when first
 * used, and has its code fetched then, since lambdas are what a program's start has to pay for.
 */
public final class Function {
  private final String name;
  private final int arity;
  private final Consumer<Function> code;
  private volatile boolean coded;
  private FloatFunction floats;
  private DoubleFunction doubles;
  private IntFunction ints;
  private LongFunction longs;
  private boolean keepsScalar;
  private final Kernel[] kernels = new Kernel[Carrier.values().length];

  private Function(String name, int arity, Consumer<Function> code) {
    this.name = name;
    this.arity = arity;
    this.code = code;
  }

  /**
   * @param code defines the function for its carriers when it is first needed
   */
  static Function unary(String name, Consumer<Function> code) {
    return new Function(name, 1, code);
  }

  static Function binary(String name, Consumer<Function> code) {
    return new Function(name, 2, code);
  }

  static Function ternary(String name, Consumer<Function> code) {
    return new Function(name, 3, code);
  }

  /** Defines it for floats; without this, what {@link #doubles} gives is rounded. */
  Function floats(FloatFunction f) {
    floats = f;
    return this;
  }

  Function doubles(DoubleFunction f) {
    doubles = f;
    if (floats == null) {
      floats = (a, b, c, p, q) -> (float) f.apply(a, b, c, p, q);
    }
    return this;
  }

  /**
   * Defines it for whole numbers of up to 32 bits, for speed alone: the low bits must be those that
   * {@link #longs} gives.
   */
  Function ints(IntFunction f) {
    ints = f;
    return this;
  }

  Function longs(LongFunction f) {
    longs = f;
    return this;
  }

  /** Has a 0-d operand of a half's operation keep the bits that a half has not, as PyTorch does. */
  Function keepingScalar() {
    keepsScalar = true;
    return this;
  }

  private void requireCode() {
    if (!coded) {
      fetchCode();
    }
  }

  private synchronized void fetchCode() {
    if (!coded) {
      code.accept(this);
      coded = true;
    }
  }

  boolean keepsScalar() {
    return keepsScalar;
  }

  public String name() {
    return name;
  }

  public int arity() {
    return arity;
  }

  public FloatFunction floats() {
    requireCode();
    return floats;
  }

  public DoubleFunction doubles() {
    requireCode();
    return doubles;
  }

  public IntFunction ints() {
    requireCode();
    return ints;
  }

  public LongFunction longs() {
    requireCode();
    return longs;
  }

  /** What to compute in so that the result is right in this dtype; null if there is nothing. */
  Carrier carrier(DType compute) {
    requireCode();
    return switch (Carrier.of(compute)) {
      case FLOAT -> floats == null ? null : Carrier.FLOAT;
      case DOUBLE -> doubles == null ? null : Carrier.DOUBLE;
      case INT, LONG ->
          longs == null ? null : compute != DType.I64 && ints != null ? Carrier.INT : Carrier.LONG;
    };
  }

  /** Whether there is a kernel to compute in this dtype. */
  public boolean supports(DType compute) {
    return carrier(compute) != null;
  }

  Kernel kernel(Carrier carrier) {
    Kernel kernel = kernels[carrier.ordinal()];
    if (kernel == null) {
      kernel = new Kernel(this, carrier); // two threads may make one each
      kernels[carrier.ordinal()] = kernel;
    }
    return kernel;
  }

  @Override
  public String toString() {
    return name;
  }
}
