package dev.jcomms.tensor.internal.cpu;

/** What happens to one element, in {@code float}: up to three operands and two parameters. */
@FunctionalInterface
public interface FloatFunction {
  float apply(float a, float b, float c, float p, float q);
}
