package dev.jcomms.tensor.spi;

/**
 * Operators or kernels that a module brings: found by {@link java.util.ServiceLoader} and
 * registered before the first operator is used.
 */
public interface OperatorLibrary {
  /** Registers by {@code Library.define} and {@code Library.impl}, for the life of the process. */
  void register();
}
