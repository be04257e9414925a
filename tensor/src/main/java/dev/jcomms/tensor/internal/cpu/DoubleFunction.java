package dev.jcomms.tensor.internal.cpu;

/** What happens to one element, in {@code double}: up to three operands and two parameters. */
@FunctionalInterface
public interface DoubleFunction {
  double apply(double a, double b, double c, double p, double q);
}
