package dev.jcomms.tensor.internal.cpu;

/**
 * What blocks have been folded to so far: a {@code double}, or a {@code long} of whole numbers. A
 * sum of doubles carries along what it has rounded off.
 */
final class Total {
  private final Fold fold;
  private double value;
  private double lost;
  private long whole;

  Total(Fold fold) {
    this.fold = fold;
    this.value = fold.nothing;
    this.whole = fold.nothingWhole;
  }

  void add(double next) {
    if (fold != Fold.SUM) {
      value = fold.apply(value, next);
      return;
    }
    double sum = value + next;
    double rounded = Math.abs(value) >= Math.abs(next) ? value - sum + next : next - sum + value;
    if (rounded - rounded == 0) { // not where something is infinite
      lost += rounded;
    }
    value = sum;
  }

  void add(long next) {
    whole = fold.apply(whole, next);
  }

  void add(Total other) {
    add(other.value);
    lost += other.lost;
    add(other.whole);
  }

  double value() {
    return fold == Fold.SUM ? value + lost : value; // a sum with nothing takes a zero's sign
  }

  long whole() {
    return whole;
  }
}
