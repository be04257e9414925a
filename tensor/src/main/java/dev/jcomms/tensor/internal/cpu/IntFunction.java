package dev.jcomms.tensor.internal.cpu;

/** What happens to one element, in {@code int}: up to three operands and two parameters. */
@FunctionalInterface
public interface IntFunction {
  int apply(int a, int b, int c, int p, int q);
}
