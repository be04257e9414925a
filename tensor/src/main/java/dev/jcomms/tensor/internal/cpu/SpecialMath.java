package dev.jcomms.tensor.internal.cpu;

/** Functions of mathematics that {@link Math} has not, in double. */
final class SpecialMath {
  private static final double ROOT_TWO = Math.sqrt(2);
  private static final double ROOT_PI = Math.sqrt(Math.PI);

  /** Lanczos' coefficients for g = 7. */
  private static final double[] LANCZOS = {
    0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
    -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
    1.5056327351493116e-7
  };

  /** Bernoulli's numbers B2, B4, … over the factorial of their index. */
  private static final double[] BERNOULLI_BY_FACTORIAL = {
    1.0 / 12,
    -1.0 / 720,
    1.0 / 30240,
    -1.0 / 1209600,
    1.0 / 47900160,
    -691.0 / 1307674368000.0,
    1.0 / 74724249600.0,
    -3617.0 / 10670622842880000.0
  };

  private SpecialMath() {}

  /** The logarithm of the gamma function's size. */
  static double lgamma(double x) {
    if (x != x) {
      return x;
    }
    if (Double.isInfinite(x)) {
      return Double.POSITIVE_INFINITY;
    }
    if (x <= 0 && x == Math.rint(x)) {
      return Double.POSITIVE_INFINITY;
    }
    if (Math.abs(x) < 1e-17) {
      return -Math.log(Math.abs(x));
    }
    if (x < 0.5) {
      // Mirrored. The distance to the nearest whole number is exact, and so its sine.
      double sine = Math.sin(Math.PI * (x - Math.rint(x)));
      return Math.log(Math.PI / Math.abs(sine)) - lgamma(1 - x);
    }
    if (x == 1 || x == 2) {
      return 0;
    }
    double at = x - 1;
    double sum = LANCZOS[0];
    for (int i = 1; i < LANCZOS.length; i++) {
      sum += LANCZOS[i] / (at + i);
    }
    double t = at + 7.5;
    return 0.5 * Math.log(2 * Math.PI) + (at + 0.5) * Math.log(t) - t + Math.log(sum);
  }

  /** The slope of {@link #lgamma}: lifted above 10, where its expansion converges. */
  static double digamma(double x) {
    if (x == 0) {
      return Math.copySign(Double.POSITIVE_INFINITY, -x);
    }
    if (x < 0) {
      if (x == Math.rint(x)) {
        return Double.NaN;
      }
      double part = x - Math.ceil(x);
      return digamma(1 - x) - Math.PI / Math.tan(Math.PI * part);
    }
    double sum = 0;
    double at = x;
    while (at < 10) {
      sum -= 1 / at;
      at++;
    }
    if (at > 1e17) {
      return Math.log(at) + sum;
    }
    double z = 1 / (at * at);
    double tail =
        z
            * (1.0 / 12
                - z
                    * (1.0 / 120
                        - z
                            * (1.0 / 252
                                - z
                                    * (1.0 / 240
                                        - z * (1.0 / 132 - z * (691.0 / 32760 - z / 12))))));
    return sum + Math.log(at) - 0.5 / at - tail;
  }

  /** The n-th derivative of {@link #digamma}. */
  static double polygamma(long n, double x) {
    if (n == 0) {
      return digamma(x);
    }
    if (n == 1 && x < 0.5) { // mirrored, since the sum below is for what is above zero
      double sine = Math.sin(Math.PI * x);
      return Math.PI * Math.PI / (sine * sine) - polygamma(1, 1 - x);
    }
    double size = Math.exp(lgamma(n + 1.0)) * zeta(n + 1.0, x);
    return n % 2 == 0 ? -size : size;
  }

  /** Hurwitz' zeta function, by Euler's and Maclaurin's sum. */
  static double zeta(double s, double q) {
    if (s == 1) {
      return Double.POSITIVE_INFINITY;
    }
    if (!(s > 1)) {
      return Double.NaN;
    }
    if (q <= 0) {
      if (q == Math.floor(q)) {
        return Double.POSITIVE_INFINITY;
      }
      if (s != Math.floor(s)) {
        return Double.NaN; // a negative number to a broken power
      }
    }
    double sum = 0;
    double at = q;
    for (int i = 0; i < 12 || at <= 9; i++) {
      double term = Math.pow(at, -s);
      sum += term;
      at++;
      if (i > 12 && Math.abs(term) < 1e-17 * Math.abs(sum)) {
        return sum;
      }
    }
    sum += Math.pow(at, 1 - s) / (s - 1) + 0.5 * Math.pow(at, -s);
    double factor = s * Math.pow(at, -s - 1);
    for (int k = 0; k < BERNOULLI_BY_FACTORIAL.length; k++) {
      double term = BERNOULLI_BY_FACTORIAL[k] * factor;
      sum += term;
      if (Math.abs(term) < 1e-17 * Math.abs(sum)) {
        break;
      }
      factor *= (s + 2 * k + 1) * (s + 2 * k + 2) / (at * at);
    }
    return sum;
  }

  /** The inverse of {@code erf}: Newton's steps near zero, the normal quantile in the tails. */
  static double erfinv(double x) {
    double size = Math.abs(x);
    if (!(size <= 1)) {
      return Double.NaN;
    }
    if (size == 1) {
      return Math.copySign(Double.POSITIVE_INFINITY, x);
    }
    if (size > 0.5) {
      return Math.copySign(-ndtri((1 - size) / 2) / ROOT_TWO, x);
    }
    double y = x * ROOT_PI / 2;
    for (int i = 0; i < 6; i++) {
      y -= (DoubleMath.erf(y) - x) / (2 / ROOT_PI * Math.exp(-y * y));
    }
    return y;
  }

  static double ndtr(double x) {
    return 0.5 * DoubleMath.erfc(-x / ROOT_TWO);
  }

  static double logNdtr(double x) {
    return x < -1
        ? Math.log(erfcx(-x / ROOT_TWO) / 2) - x * x / 2
        : Math.log1p(-0.5 * DoubleMath.erfc(x / ROOT_TWO));
  }

  /** Where the normal distribution reaches p: a first guess, then steps on its logarithm. */
  static double ndtri(double p) {
    if (!(p >= 0 && p <= 1)) {
      return Double.NaN;
    }
    if (p == 0 || p == 1) {
      return p == 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    if (p > 0.5) {
      return -ndtri(1 - p);
    }
    double t = Math.sqrt(-2 * Math.log(p));
    double x =
        -(t
            - (2.515517 + t * (0.802853 + t * 0.010328))
                / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
    double wanted = Math.log(p);
    for (int i = 0; i < 4; i++) {
      double log = logNdtr(x);
      double slope = Math.exp(-0.5 * x * x - 0.5 * Math.log(2 * Math.PI) - log);
      x -= (log - wanted) / slope;
    }
    return x;
  }

  /** {@code e^(x x) erfc(x)}, which does not vanish as erfc does. */
  static double erfcx(double x) {
    if (x < 25) {
      return x < -26.7 ? Double.POSITIVE_INFINITY : Math.exp(x * x) * DoubleMath.erfc(x);
    }
    double z = 1 / (2 * x * x);
    return (1 - z * (1 - 3 * z * (1 - 5 * z))) / (x * ROOT_PI);
  }

  /**
   * Bessel's modified function of order 0 or 1, times {@code e^-|x|} where that is asked for: a sum
   * of positive terms, or the expansion for large numbers.
   */
  static double bessel(int order, double x, boolean scaled) {
    double size = Math.abs(x);
    double value;
    if (size <= 20) {
      double square = size * size / 4;
      double term = order == 0 ? 1 : size / 2;
      value = term;
      for (int k = 1; term > 1e-17 * value; k++) {
        term *= square / ((double) k * (k + order));
        value += term;
      }
      value = scaled ? value * Math.exp(-size) : value;
    } else if (size != size || !scaled && Double.isInfinite(size)) {
      return Double.NaN; // as PyTorch's
    } else {
      double mu = 4.0 * order;
      double term = 1;
      double sum = 1;
      for (int k = 1; k < 40 && Math.abs(term) > 1e-17; k++) {
        double odd = 2 * k - 1;
        term *= -(mu - odd * odd) / (k * 8 * size);
        sum += term;
      }
      double root = Double.isInfinite(size) ? 0 : sum / Math.sqrt(2 * Math.PI * size);
      value = scaled ? root : Math.exp(size / 2) * root * Math.exp(size / 2);
    }
    return order == 1 && x < 0 ? -value : value;
  }

  /** The lower part of the regularized gamma integral, or the upper one. */
  static double igamma(double a, double x, boolean upper) {
    if (!(a >= 0) || !(x >= 0)) {
      return Double.NaN;
    }
    if (a == 0) {
      return x > 0 ? (upper ? 0 : 1) : Double.NaN;
    }
    if (x == 0) {
      return upper ? 1 : 0;
    }
    if (Double.isInfinite(a)) {
      return Double.isInfinite(x) ? Double.NaN : upper ? 1 : 0;
    }
    if (Double.isInfinite(x)) {
      return upper ? 0 : 1;
    }
    double front = Math.exp(a * Math.log(x) - x - lgamma(a));
    if (x < a + 1) {
      double term = 1 / a;
      double sum = term;
      for (int k = 1; k < 10_000 && term > 1e-17 * sum; k++) {
        term *= x / (a + k);
        sum += term;
      }
      return upper ? 1 - sum * front : sum * front;
    }
    double tiny = 1e-300; // Lentz' way through the continued fraction
    double b = x + 1 - a;
    double c = 1 / tiny;
    double d = 1 / b;
    double h = d;
    for (int k = 1; k < 10_000; k++) {
      double an = -k * (k - a);
      b += 2;
      d = an * d + b;
      d = 1 / (Math.abs(d) < tiny ? tiny : d);
      c = b + an / c;
      c = Math.abs(c) < tiny ? tiny : c;
      double delta = d * c;
      h *= delta;
      if (Math.abs(delta - 1) < 1e-16) {
        break;
      }
    }
    return upper ? front * h : 1 - front * h;
  }
}
