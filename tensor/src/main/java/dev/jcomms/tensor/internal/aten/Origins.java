package dev.jcomms.tensor.internal.aten;

import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Where kernels come from that are other handles with arguments bound or moved. Such a handle tells
 * nothing of the method behind it, which is wanted where the operators that it calls are looked
 * for.
 */
public final class Origins {
  /**
   * @param code the handle of a method, or the kernel itself
   * @param operators that it calls by names bound to it
   */
  public record Origin(MethodHandle code, List<String> operators) {}

  private static final Map<MethodHandle, Origin> KNOWN =
      Collections.synchronizedMap(new WeakHashMap<>());

  private Origins() {}

  /** Remembers that {@code kernel} runs {@code code}, and calls the operators of these names. */
  static MethodHandle note(MethodHandle kernel, MethodHandle code, String... operators) {
    Origin behind = of(code);
    List<String> all = new ArrayList<>(behind.operators());
    all.addAll(List.of(operators));
    KNOWN.put(kernel, new Origin(behind.code(), List.copyOf(all)));
    return kernel;
  }

  /** What is known of a kernel: at least itself. */
  public static Origin of(MethodHandle kernel) {
    Origin known = KNOWN.get(kernel);
    return known != null ? known : new Origin(kernel, List.of());
  }
}
