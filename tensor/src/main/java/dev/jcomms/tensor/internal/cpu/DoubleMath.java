package dev.jcomms.tensor.internal.cpu;

/** Functions of a double that the JDK has not: the error function, and powers for floats. */
public final class DoubleMath {
  /** log2((1+s)/(1-s)) = s (A0 + A1 s^2 + ...) for (1+s)/(1-s) between the roots of 1/2 and 2. */
  public static final double A0 = 2.8853900817778495;

  public static final double A1 = 0.961796694114231;
  public static final double A2 = 0.5770779421070199;
  public static final double A3 = 0.41220927847944866;
  public static final double A4 = 0.31990462183360213;
  public static final double A5 = 0.2829156109651561;

  /** 2^r for |r| up to one half. */
  public static final double B0 = 1.000000000000027;

  public static final double B1 = 0.6931471805459083;
  public static final double B2 = 0.24022650695467246;
  public static final double B3 = 0.055504109413044886;
  public static final double B4 = 0.00961812922855744;
  public static final double B5 = 0.0013333450474778438;
  public static final double B6 = 0.00015403411589843586;
  public static final double B7 = 1.5310103994627414e-05;
  public static final double B8 = 1.326407803539211e-06;

  public static final long SQRT_HALF_BITS = 0x3fe6a09e667f3bcdL;

  /** As the float's: adding it rounds to a whole number in the low bits. */
  public static final double ROUNDER = 6755399441055744d; // 1.5 * 2^52

  public static final long ROUNDER_BITS = Double.doubleToRawLongBits(ROUNDER);

  /** erf x = x (polynomial in x^2), highest power first, up to 1. */
  private static final double[] ERF = {
    -7.795898827002142e-10, 1.3720064546777686e-08, -1.6208483801871705e-07,
    1.6447424703317362e-06, -1.492473690741966e-05, 0.00012055294904839707,
    -0.0008548325975389692, 0.0052239776071164225, -0.02686617064323777,
    0.11283791670945006, -0.37612638903183543, 1.1283791670955126
  };

  /** x e^(x^2) erfc x as a polynomial in (x-4)/(x+4), highest power first, from 1 to 28. */
  private static final double[] ERFC = {
    3.132988443922189e-08, 1.984983409353678e-08, -4.1935994230047813e-07,
    2.85298816898936e-07, 3.031731376020565e-06, -7.078194268142704e-06,
    -1.1237412184334815e-05, 8.658648956275186e-05, -0.00013912244274696074,
    -0.0003680052103013239, 0.002915548762774663, -0.010128998918807475,
    0.025005730752138626, -0.04881471115965212, 0.07842032532061434,
    -0.10500112171781674, 0.1161774354759654, -0.10167001340781964,
    0.0597234659598048, 0.5479978305002455
  };

  private DoubleMath() {}

  public static double erf(double x) {
    double m = Math.abs(x);
    if (m <= 1) {
      return x * polynomial(ERF, x * x);
    }
    return m > 6 ? Math.signum(x) : Math.copySign(1 - upper(m), x);
  }

  public static double erfc(double x) {
    if (x < -1) {
      return x < -6 ? 2 : 2 - upper(-x);
    }
    return x <= 1 ? 1 - x * polynomial(ERF, x * x) : upper(x);
  }

  /** erfc from 1 on; NaN is passed through. */
  private static double upper(double x) {
    if (x > 28) {
      return 0;
    }
    double high = (float) x; // its square is exact
    double tail = Math.exp(-high * high) * Math.exp((high - x) * (high + x));
    return tail / x * polynomial(ERFC, (x - 4) / (x + 4));
  }

  private static double polynomial(double[] coefficients, double x) {
    double y = 0;
    for (double c : coefficients) {
      y = Math.fma(y, x, c);
    }
    return y;
  }

  /** For the powers of floats: a float's magnitude, to 40 bits. */
  static double log2(double x) {
    long bits = Double.doubleToRawLongBits(x) - SQRT_HALF_BITS;
    double k = bits >> 52;
    double m = Double.longBitsToDouble((bits & 0xfffffffffffffL) + SQRT_HALF_BITS);
    double s = (m - 1) / (m + 1);
    double z = s * s;
    double u = Math.fma(Math.fma(Math.fma(Math.fma(A5, z, A4), z, A3), z, A2), z, A1);
    double y = Math.fma(Math.fma(u, z, A0), s, k);
    y = x == Double.POSITIVE_INFINITY ? x : y;
    return x == 0 ? Double.NEGATIVE_INFINITY : y;
  }

  /** For the powers of floats: beyond their range it is zero or infinite as a float. */
  static double exp2(double x) {
    double c = Math.min(Math.max(x, -300), 300);
    double t = c + ROUNDER;
    long n = Double.doubleToRawLongBits(t) - ROUNDER_BITS;
    double r = c - (t - ROUNDER);
    double u = Math.fma(Math.fma(Math.fma(Math.fma(B8, r, B7), r, B6), r, B5), r, B4);
    u = Math.fma(Math.fma(Math.fma(Math.fma(u, r, B3), r, B2), r, B1), r, B0);
    return u * Double.longBitsToDouble((n + 1023) << 52);
  }

  static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  static double gelu(double x) {
    return 0.5 * x * (1 + erf(x * Math.sqrt(0.5)));
  }

  static double geluTanh(double x) {
    double inner = Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x);
    return 0.5 * x * (1 + Math.tanh(inner));
  }

  /** The way of Python: the result has the divisor's sign. */
  static double remainder(double a, double b) {
    double r = a % b;
    return r != 0 && b < 0 != r < 0 ? r + b : r;
  }

  static double floorDivide(double a, double b) {
    if (b == 0) {
      return a / b;
    }
    double mod = a % b;
    double quotient = (a - mod) / b;
    if (mod != 0 && b < 0 != mod < 0) {
      quotient -= 1;
    }
    if (quotient == 0) {
      return Math.copySign(0, a / b);
    }
    double floor = Math.floor(quotient);
    return quotient - floor > 0.5 ? floor + 1 : floor;
  }

  static double trunc(double x) {
    return x < 0 ? Math.ceil(x) : Math.floor(x);
  }
}
