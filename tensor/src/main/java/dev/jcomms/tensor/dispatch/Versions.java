package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.TensorAccess;
import dev.jcomms.tensor.internal.Unfollowed;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts the changes of tensors that operators write into, so that the gradient graph can tell that
 * something it kept is no longer what it was.
 */
final class Versions {
  private static final MethodHandle CHANGED;

  static {
    try {
      CHANGED =
          MethodHandles.lookup()
              .findStatic(
                  Versions.class, "changed", MethodType.methodType(void.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Versions() {}

  /** The kernel, with the arguments that the schema says it writes counted first. */
  static MethodHandle counting(Schema schema, MethodHandle kernel) {
    List<Integer> written = new ArrayList<>();
    List<Class<?>> types = new ArrayList<>();
    for (int i = 0; i < schema.arguments().size(); i++) {
      if (schema.arguments().get(i).isWritten()) {
        written.add(i);
        types.add(kernel.type().parameterType(i));
      }
    }
    MethodHandle count =
        CHANGED
            .asCollector(Object[].class, written.size())
            .asType(MethodType.methodType(void.class, types));
    return MethodHandles.foldArguments(
        kernel,
        MethodHandles.permuteArguments(
            count,
            kernel.type().changeReturnType(void.class),
            written.stream().mapToInt(Integer::intValue).toArray()));
  }

  private static void changed(Object[] written) {
    for (Object o : written) {
      if (o instanceof Tensor t) {
        Unfollowed.refuse(t, Dispatcher::isRecording);
        TensorAccess.changed(t);
      } else if (o instanceof List<?> list) {
        list.forEach(t -> changed(new Object[] {t}));
      }
    }
  }
}
