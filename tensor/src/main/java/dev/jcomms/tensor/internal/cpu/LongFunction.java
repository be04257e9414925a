package dev.jcomms.tensor.internal.cpu;

/** What happens to one element, in {@code long}: up to three operands and two parameters. */
@FunctionalInterface
public interface LongFunction {
  long apply(long a, long b, long c, long p, long q);
}
