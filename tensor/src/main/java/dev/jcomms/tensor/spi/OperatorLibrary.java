package dev.jcomms.tensor.spi;

/**
 * Operators or kernels that a module brings: found by {@link java.util.ServiceLoader} and
 * registered before the first operator is used.
 */
public interface OperatorLibrary {
  /**
   * Registers by {@code Library.define} and {@code Library.impl}, for the life of the process. If
   * it asks for an operator that another library has yet to define, all that it has registered is
   * taken back and it is called again after the others; if it fails otherwise, it is left out.
   */
  void register();
}
