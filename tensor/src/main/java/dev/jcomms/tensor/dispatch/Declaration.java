package dev.jcomms.tensor.dispatch;

import java.util.List;
import java.util.Objects;

/**
 * What an author of a device needs to know of an operator. Made by {@link Declarations#list}.
 *
 * @param schema the operator
 * @param dispatch whether it has kernels of single devices, or is made to: false if one kernel made
 *     of differentiable operators is all there is
 * @param hasDefault whether a kernel that serves every device is there, so that a device may bring
 *     one of its own but need not
 * @param keys the keys that have kernels, in the order of {@link DispatchKey}
 * @param uses the operators that the kernel for every device may call, by name; read from its code,
 *     which boxed kernels do not show
 */
public record Declaration(
    Schema schema,
    boolean dispatch,
    boolean hasDefault,
    List<DispatchKey> keys,
    List<String> uses) {
  public Declaration {
    Objects.requireNonNull(schema);
    keys = List.copyOf(keys);
    uses = List.copyOf(uses);
  }

  /** {@code aten::add.Tensor}. */
  public String name() {
    return schema.qualifiedName();
  }

  /** Whether every device must bring a kernel: {@code dispatch} without a default. */
  public boolean isRequired() {
    return dispatch && !hasDefault;
  }

  /** As a line of PyTorch's RegistrationDeclarations.h says it. */
  @Override
  public String toString() {
    return "{\"schema\": \"%s\", \"dispatch\": \"%s\", \"default\": \"%s\"}"
        .formatted(schema, python(dispatch), python(hasDefault));
  }

  private static String python(boolean value) {
    return value ? "True" : "False";
  }
}
