package dev.jcomms.tensor.dispatch;

import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Tensor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/**
 * The way from a call to its kernel, as method handles: the keys of the tensor arguments, the table
 * entry for them, the entry with all arguments. Made when first asked for.
 */
final class CallPath {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final MethodHandle SELECT =
      find(CallPath.class, "select", MethodHandle.class, Operator.class, long.class);

  private final Operator op;
  private volatile MethodHandle handle;
  private volatile MethodHandle boxed; // (Object[])Object, through the handle
  private volatile MethodHandle spread; // (MethodHandle, Object[])Object, a given entry

  CallPath(Operator op) {
    this.op = op;
  }

  MethodHandle handle() {
    MethodHandle made = handle;
    if (made == null) {
      MethodType type = op.schema().methodType();
      made = MethodHandles.foldArguments(MethodHandles.exactInvoker(type), selector(type));
      handle = made;
    }
    return made;
  }

  Object call(Object[] args) {
    MethodHandle path = boxed;
    if (path == null) {
      path =
          handle()
              .asSpreader(Object[].class, args.length)
              .asType(MethodType.methodType(Object.class, Object[].class));
      boxed = path;
    }
    try {
      return (Object) path.invokeExact(args);
    } catch (Throwable t) {
      throw Dispatcher.rethrow(t);
    }
  }

  Object callEntry(MethodHandle entry, Object[] args) {
    MethodHandle path = spread;
    if (path == null) {
      path =
          MethodHandles.spreadInvoker(op.schema().methodType(), 0)
              .asType(MethodType.methodType(Object.class, MethodHandle.class, Object[].class));
      spread = path;
    }
    try {
      return (Object) path.invokeExact(entry, args);
    } catch (Throwable t) {
      throw Dispatcher.rethrow(t);
    }
  }

  private static MethodHandle select(Operator op, long bits) {
    return op.table().require(Keys.effective(bits));
  }

  /** From the call's arguments to the entry. */
  private MethodHandle selector(MethodType type) {
    List<Integer> tensors = new ArrayList<>();
    List<Integer> lists = new ArrayList<>();
    int device = -1;
    for (int i = 0; i < type.parameterCount(); i++) {
      Class<?> parameter = type.parameterType(i);
      if (parameter == Tensor.class) {
        tensors.add(i);
      } else if (parameter == List.class) {
        lists.add(i);
      } else if (parameter == Device.class) {
        device = i;
      }
    }
    MethodHandle bits;
    List<Integer> read = new ArrayList<>();
    if (lists.isEmpty() && tensors.size() >= 1 && tensors.size() <= 3) {
      Class<?>[] parameters = new Class<?>[tensors.size()];
      java.util.Arrays.fill(parameters, Tensor.class);
      bits = find(Keys.class, "of", long.class, parameters);
      read.addAll(tensors);
    } else if (tensors.isEmpty() && lists.isEmpty()) {
      bits =
          device < 0
              ? find(Keys.class, "ofNothing", long.class)
              : find(Keys.class, "of", long.class, Device.class);
      if (device >= 0) {
        read.add(device);
      }
    } else if (tensors.isEmpty() && lists.size() == 1) {
      bits = find(Keys.class, "of", long.class, List.class);
      read.addAll(lists);
    } else {
      read.addAll(tensors);
      read.addAll(lists);
      List<Class<?>> parameters = new ArrayList<>();
      read.forEach(i -> parameters.add(type.parameterType(i)));
      bits =
          find(Keys.class, "ofAll", long.class, Object[].class)
              .asCollector(Object[].class, read.size())
              .asType(MethodType.methodType(long.class, parameters));
    }
    MethodHandle entry = MethodHandles.filterReturnValue(bits, SELECT.bindTo(op));
    return MethodHandles.permuteArguments(
        entry,
        type.changeReturnType(MethodHandle.class),
        read.stream().mapToInt(Integer::intValue).toArray());
  }

  private static MethodHandle find(
      Class<?> where, String name, Class<?> returns, Class<?>... parameters) {
    try {
      return LOOKUP.findStatic(where, name, MethodType.methodType(returns, parameters));
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
