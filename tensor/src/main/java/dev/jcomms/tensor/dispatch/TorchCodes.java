package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Layout;
import dev.jcomms.tensor.MemoryFormat;
import java.util.Map;
import java.util.TreeMap;

/** The numbers by which PyTorch's schemas write dtypes, layouts, formats and reductions. */
final class TorchCodes {
  private static final Map<Long, DType> DTYPES =
      Map.ofEntries(
          Map.entry(0L, DType.U8),
          Map.entry(1L, DType.I8),
          Map.entry(2L, DType.I16),
          Map.entry(3L, DType.I32),
          Map.entry(4L, DType.I64),
          Map.entry(5L, DType.F16),
          Map.entry(6L, DType.F32),
          Map.entry(7L, DType.F64),
          Map.entry(11L, DType.BOOL),
          Map.entry(15L, DType.BF16),
          Map.entry(23L, DType.F8E5M2),
          Map.entry(24L, DType.F8E4M3));

  private static final Map<Long, MemoryFormat> FORMATS =
      Map.of(
          0L, MemoryFormat.CONTIGUOUS,
          1L, MemoryFormat.PRESERVE,
          2L, MemoryFormat.CHANNELS_LAST,
          3L, MemoryFormat.CHANNELS_LAST_3D);

  private static final Map<Long, Layout> LAYOUTS = Map.of(0L, Layout.STRIDED);

  /** Names that a schema may write in a number's place; sorted, to be listed in errors. */
  private static final Map<String, Long> NAMES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("Mean", 1L),
              Map.entry("strided", 0L),
              Map.entry("contiguous_format", 0L),
              Map.entry("preserve_format", 1L),
              Map.entry("channels_last", 2L),
              Map.entry("channels_last_3d", 3L),
              Map.entry("byte", 0L),
              Map.entry("char", 1L),
              Map.entry("short", 2L),
              Map.entry("int", 3L),
              Map.entry("long", 4L),
              Map.entry("half", 5L),
              Map.entry("float", 6L),
              Map.entry("double", 7L),
              Map.entry("bool", 11L),
              Map.entry("bfloat16", 15L)));

  private TorchCodes() {}

  /** The number that a name stands for; null if for none. */
  static Long named(String name) {
    return NAMES.get(name);
  }

  static Iterable<String> names() {
    return NAMES.keySet();
  }

  static DType dtype(long code) {
    return known("dtype", DTYPES, code);
  }

  static Layout layout(long code) {
    return known("layout", LAYOUTS, code);
  }

  static MemoryFormat memoryFormat(long code) {
    return known("memory format", FORMATS, code);
  }

  private static <T> T known(String what, Map<Long, T> codes, long code) {
    T value = codes.get(code);
    if (value == null) {
      throw new UnsupportedOperationException(
          "PyTorch's %s number %d has no counterpart here; those with one: %s"
              .formatted(what, code, new TreeMap<>(codes)));
    }
    return value;
  }
}
