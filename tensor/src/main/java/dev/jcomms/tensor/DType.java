package dev.jcomms.tensor;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The element type of a tensor. Each has two names, its short one ({@code f32}) and PyTorch's
 * ({@code float32}); both parse, the short one prints.
 *
 * <p>The 8-bit floats exist for transport and storage: {@link #F8E4M3} is the "fn" variant (no
 * infinity, largest value 448), {@link #F8E5M2} follows IEEE with infinities.
 */
public enum DType {
  F64(8, "float64", Kind.FLOATING),
  F32(4, "float32", Kind.FLOATING),
  F16(2, "float16", Kind.FLOATING),
  BF16(2, "bfloat16", Kind.FLOATING),
  I64(8, "int64", Kind.INTEGER),
  I32(4, "int32", Kind.INTEGER),
  I16(2, "int16", Kind.INTEGER),
  I8(1, "int8", Kind.INTEGER),
  U8(1, "uint8", Kind.INTEGER),
  /** One byte an element: zero is false, anything else is true; what is written is 0 or 1. */
  BOOL(1, "bool", Kind.BOOLEAN),
  F8E4M3(1, "float8_e4m3fn", Kind.FLOATING),
  F8E5M2(1, "float8_e5m2", Kind.FLOATING);

  private enum Kind {
    FLOATING,
    INTEGER,
    BOOLEAN
  }

  private final int bytes;
  private final String shortName;
  private final String torchName;
  private final boolean floating;
  private final boolean integer;

  DType(int bytes, String torchName, Kind kind) {
    this.bytes = bytes;
    this.shortName = name().toLowerCase(java.util.Locale.ROOT);
    this.torchName = torchName;
    this.floating = kind == Kind.FLOATING;
    this.integer = kind == Kind.INTEGER;
  }

  /** Bytes of one element. */
  public int bytes() {
    return bytes;
  }

  /** The name that JComms prints and writes: {@code f32}, {@code bool}, {@code f8e4m3}. */
  public String shortName() {
    return shortName;
  }

  /** PyTorch's name without its {@code torch.} prefix: {@code float32}, {@code float8_e4m3fn}. */
  public String torchName() {
    return torchName;
  }

  public boolean isFloating() {
    return floating;
  }

  /** True of the signed and unsigned integers; {@link #BOOL} is not one. */
  public boolean isInteger() {
    return integer;
  }

  /**
   * The dtype of a short name or a PyTorch name.
   *
   * @throws IllegalArgumentException listing the names that exist
   */
  public static DType parse(String name) {
    for (DType dtype : values()) {
      if (dtype.shortName.equals(name) || dtype.torchName.equals(name)) {
        return dtype;
      }
    }
    String known =
        Arrays.stream(values())
            .map(
                d ->
                    d.shortName.equals(d.torchName) ? d.shortName : d.shortName + "=" + d.torchName)
            .collect(Collectors.joining(", ", "[", "]"));
    throw new IllegalArgumentException("no dtype named '" + name + "'; available: " + known);
  }

  @Override
  public String toString() {
    return shortName;
  }
}
