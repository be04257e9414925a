package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Function.binary;
import static dev.jcomms.tensor.internal.cpu.Function.unary;

/** The functions of {@link SpecialMath} and others seldom met, element by element. */
public final class SpecialFunctions {
  public static final Function LGAMMA =
      unary("lgamma").doubles((a, _, _, _, _) -> SpecialMath.lgamma(a));
  public static final Function DIGAMMA =
      unary("digamma").doubles((a, _, _, _, _) -> SpecialMath.digamma(a));

  /** {@code p} is the order. */
  public static final Function POLYGAMMA =
      unary("polygamma").doubles((a, _, _, p, _) -> SpecialMath.polygamma((long) p, a));

  public static final Function ERFINV =
      unary("erfinv").doubles((a, _, _, _, _) -> SpecialMath.erfinv(a));
  public static final Function ERFCX =
      unary("erfcx").doubles((a, _, _, _, _) -> SpecialMath.erfcx(a));
  public static final Function NDTR = unary("ndtr").doubles((a, _, _, _, _) -> SpecialMath.ndtr(a));
  public static final Function NDTRI =
      unary("ndtri").doubles((a, _, _, _, _) -> SpecialMath.ndtri(a));
  public static final Function LOG_NDTR =
      unary("log_ndtr").doubles((a, _, _, _, _) -> SpecialMath.logNdtr(a));
  public static final Function I0 =
      unary("i0").doubles((a, _, _, _, _) -> SpecialMath.bessel(0, a, false));
  public static final Function I0E =
      unary("i0e").doubles((a, _, _, _, _) -> SpecialMath.bessel(0, a, true));
  public static final Function I1 =
      unary("i1").doubles((a, _, _, _, _) -> SpecialMath.bessel(1, a, false));
  public static final Function I1E =
      unary("i1e").doubles((a, _, _, _, _) -> SpecialMath.bessel(1, a, true));
  public static final Function ENTR =
      unary("entr")
          .doubles(
              (a, _, _, _, _) ->
                  a != a || a > 0 ? -a * Math.log(a) : a == 0 ? 0 : Double.NEGATIVE_INFINITY);
  public static final Function SINC =
      unary("sinc").doubles((a, _, _, _, _) -> a == 0 ? 1 : Math.sin(Math.PI * a) / (Math.PI * a));
  public static final Function DEG2RAD =
      unary("deg2rad").doubles((a, _, _, _, _) -> a * (Math.PI / 180));
  public static final Function RAD2DEG =
      unary("rad2deg").doubles((a, _, _, _, _) -> a * (180 / Math.PI));

  public static final Function ZETA =
      binary("zeta").doubles((a, b, _, _, _) -> SpecialMath.zeta(a, b));
  public static final Function IGAMMA =
      binary("igamma").doubles((a, b, _, _, _) -> SpecialMath.igamma(a, b, false));
  public static final Function IGAMMAC =
      binary("igammac").doubles((a, b, _, _, _) -> SpecialMath.igamma(a, b, true));
  public static final Function XLOG1PY =
      binary("xlog1py").doubles((a, b, _, _, _) -> b != b ? b : a == 0 ? 0 : a * Math.log1p(b));
  public static final Function LOGADDEXP2 =
      binary("logaddexp2")
          .doubles(
              (a, b, _, _, _) ->
                  a == b && Double.isInfinite(a)
                      ? a
                      : Math.max(a, b)
                          + Math.log1p(DoubleMath.exp2(-Math.abs(a - b))) / Math.log(2));
  public static final Function NEXTAFTER =
      binary("nextafter")
          .floats((a, b, _, _, _) -> Math.nextAfter(a, b))
          .doubles((a, b, _, _, _) -> Math.nextAfter(a, b));
  public static final Function HEAVISIDE =
      binary("heaviside")
          .doubles((a, b, _, _, _) -> a == 0 ? b : a > 0 ? 1 : 0)
          .longs((a, b, _, _, _) -> a == 0 ? b : a > 0 ? 1 : 0);
  public static final Function GCD = binary("gcd").longs((a, b, _, _, _) -> gcd(a, b));
  public static final Function LCM =
      binary("lcm").longs((a, b, _, _, _) -> a == 0 || b == 0 ? 0 : Math.abs(a / gcd(a, b) * b));

  private SpecialFunctions() {}

  private static long gcd(long a, long b) {
    long x = Math.abs(a);
    long y = Math.abs(b);
    while (y != 0) {
      long rest = x % y;
      x = y;
      y = rest;
    }
    return x;
  }
}
