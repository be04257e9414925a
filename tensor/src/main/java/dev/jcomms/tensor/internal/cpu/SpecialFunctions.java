package dev.jcomms.tensor.internal.cpu;

import static dev.jcomms.tensor.internal.cpu.Function.binary;
import static dev.jcomms.tensor.internal.cpu.Function.unary;

import java.util.function.Consumer;

/** The functions of {@link SpecialMath} and others seldom met, element by element. */
public final class SpecialFunctions {
  /** Where the functions have their code, each fetched when it is first run. */
  private static final Consumer<Function> CODE = SpecialFunctions::code;

  public static final Function LGAMMA = unary("lgamma", CODE);
  public static final Function DIGAMMA = unary("digamma", CODE);

  /** {@code p} is the order. */
  public static final Function POLYGAMMA = unary("polygamma", CODE);

  public static final Function ERFINV = unary("erfinv", CODE);
  public static final Function ERFCX = unary("erfcx", CODE);
  public static final Function NDTR = unary("ndtr", CODE);
  public static final Function NDTRI = unary("ndtri", CODE);
  public static final Function LOG_NDTR = unary("log_ndtr", CODE);
  public static final Function I0 = unary("i0", CODE);
  public static final Function I0E = unary("i0e", CODE);
  public static final Function I1 = unary("i1", CODE);
  public static final Function I1E = unary("i1e", CODE);
  public static final Function ENTR = unary("entr", CODE);
  public static final Function SINC = unary("sinc", CODE);
  public static final Function DEG2RAD = unary("deg2rad", CODE);
  public static final Function RAD2DEG = unary("rad2deg", CODE);
  public static final Function ZETA = binary("zeta", CODE);
  public static final Function IGAMMA = binary("igamma", CODE);
  public static final Function IGAMMAC = binary("igammac", CODE);
  public static final Function XLOG1PY = binary("xlog1py", CODE);
  public static final Function LOGADDEXP2 = binary("logaddexp2", CODE);
  public static final Function NEXTAFTER = binary("nextafter", CODE);
  public static final Function HEAVISIDE = binary("heaviside", CODE);
  public static final Function GCD = binary("gcd", CODE);
  public static final Function LCM = binary("lcm", CODE);

  private SpecialFunctions() {}

  private static void code(Function f) {
    switch (f.name()) {
      case "lgamma" -> f.doubles((a, _, _, _, _) -> SpecialMath.lgamma(a));
      case "digamma" -> f.doubles((a, _, _, _, _) -> SpecialMath.digamma(a));
      case "polygamma" -> f.doubles((a, _, _, p, _) -> SpecialMath.polygamma((long) p, a));
      case "erfinv" -> f.doubles((a, _, _, _, _) -> SpecialMath.erfinv(a));
      case "erfcx" -> f.doubles((a, _, _, _, _) -> SpecialMath.erfcx(a));
      case "ndtr" -> f.doubles((a, _, _, _, _) -> SpecialMath.ndtr(a));
      case "ndtri" -> f.doubles((a, _, _, _, _) -> SpecialMath.ndtri(a));
      case "log_ndtr" -> f.doubles((a, _, _, _, _) -> SpecialMath.logNdtr(a));
      case "i0" -> f.doubles((a, _, _, _, _) -> SpecialMath.bessel(0, a, false));
      case "i0e" -> f.doubles((a, _, _, _, _) -> SpecialMath.bessel(0, a, true));
      case "i1" -> f.doubles((a, _, _, _, _) -> SpecialMath.bessel(1, a, false));
      case "i1e" -> f.doubles((a, _, _, _, _) -> SpecialMath.bessel(1, a, true));
      case "entr" ->
          f.doubles(
              (a, _, _, _, _) ->
                  a != a || a > 0 ? -a * Math.log(a) : a == 0 ? 0 : Double.NEGATIVE_INFINITY);
      case "sinc" ->
          f.doubles((a, _, _, _, _) -> a == 0 ? 1 : Math.sin(Math.PI * a) / (Math.PI * a));
      case "deg2rad" -> f.doubles((a, _, _, _, _) -> a * (Math.PI / 180));
      case "rad2deg" -> f.doubles((a, _, _, _, _) -> a * (180 / Math.PI));
      case "zeta" -> f.doubles((a, b, _, _, _) -> SpecialMath.zeta(a, b));
      case "igamma" -> f.doubles((a, b, _, _, _) -> SpecialMath.igamma(a, b, false));
      case "igammac" -> f.doubles((a, b, _, _, _) -> SpecialMath.igamma(a, b, true));
      case "xlog1py" -> f.doubles((a, b, _, _, _) -> b != b ? b : a == 0 ? 0 : a * Math.log1p(b));
      case "logaddexp2" ->
          f.doubles(
              (a, b, _, _, _) ->
                  a == b && Double.isInfinite(a)
                      ? a
                      : Math.max(a, b)
                          + Math.log1p(DoubleMath.exp2(-Math.abs(a - b))) / Math.log(2));
      case "nextafter" ->
          f.floats((a, b, _, _, _) -> Math.nextAfter(a, b))
              .doubles((a, b, _, _, _) -> Math.nextAfter(a, b));
      case "heaviside" ->
          f.doubles((a, b, _, _, _) -> a == 0 ? b : a > 0 ? 1 : 0)
              .longs((a, b, _, _, _) -> a == 0 ? b : a > 0 ? 1 : 0);
      case "gcd" -> f.longs((a, b, _, _, _) -> gcd(a, b));
      case "lcm" -> f.longs((a, b, _, _, _) -> a == 0 || b == 0 ? 0 : Math.abs(a / gcd(a, b) * b));
      default -> throw new AssertionError(f + " has no code");
    }
  }

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
