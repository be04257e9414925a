package dev.jcomms.tensor.internal.cpu;

/**
 * Functions of a float, by polynomials that vectors can evaluate too: within 2 units in the last
 * place of the true value, right for infinities, NaN and subnormals.
 *
 * <p>The vector twin of each, in {@code simd.FloatVectorMath}, does the same steps in the same
 * order and gives the same bits; what is changed here is changed there. The polynomials are minimax
 * fits over the interval that each reduction leaves.
 */
public final class FloatMath {
  public static final float LOG2_E = 1.44269504f;

  /** ln 2 in two parts; products of the first with a whole number below 2^11 are exact. */
  public static final float LN2_HIGH = 0.693359375f;

  public static final float LN2_LOW = -2.12194440e-4f;

  /** Adding it makes the float unit round to a whole number, found in the low bits. */
  public static final float ROUNDER = 12582912f; // 1.5 * 2^23

  public static final int ROUNDER_BITS = 0x4b400000;

  /** Beyond these, e^x is zero or infinite. */
  public static final float EXP_LEAST = -104f;

  public static final float EXP_MOST = 89f;

  /** e^r - 1 - r = r^2 (E0 + E1 r + ...) for |r| up to half of ln 2. */
  public static final float E0 = 0.5f;

  public static final float E1 = 0.16666517f;
  public static final float E2 = 0.041666202f;
  public static final float E3 = 0.008369073f;
  public static final float E4 = 0.0013950801f;

  /** ln(1+f) - f + f^2/2 = f^3 (L0 + L1 f + ...) for 1+f between the roots of 1/2 and 2. */
  public static final float L0 = 0.3333331f;

  public static final float L1 = -0.2500001f;
  public static final float L2 = 0.20002167f;
  public static final float L3 = -0.1666809f;
  public static final float L4 = 0.14218548f;
  public static final float L5 = -0.124030925f;
  public static final float L6 = 0.11893562f;
  public static final float L7 = -0.11694301f;
  public static final float L8 = 0.06757422f;

  public static final int SQRT_HALF_BITS = 0x3f3504f3;

  /** tanh x = x + x^3 (T0 + T1 x^2 + ...) below this. */
  public static final float TANH_SMALL = 0.625f;

  public static final float T0 = -0.3333333f;
  public static final float T1 = 0.1333321f;
  public static final float T2 = -0.053947203f;
  public static final float T3 = 0.021702962f;
  public static final float T4 = -0.008182663f;
  public static final float T5 = 0.0021475276f;

  /** Up to here a product of three parts reduces an angle well enough. */
  public static final float ANGLE_MOST = 39000f;

  public static final float TWO_BY_PI = 0.63661977f;

  /** Half of pi in three parts. */
  public static final float HALF_PI_1 = 1.5703125f;

  public static final float HALF_PI_2 = 4.8375129699707031e-4f;
  public static final float HALF_PI_3 = 7.5497899548918821e-8f;

  public static final float S0 = -0.16666667f;
  public static final float S1 = 0.008333329f;
  public static final float S2 = -0.000198393f;
  public static final float S3 = 2.7179708e-06f;
  public static final float C0 = 0.041666668f;
  public static final float C1 = -0.0013888883f;
  public static final float C2 = 2.4799481e-05f;
  public static final float C3 = -2.7207074e-07f;

  /** erf x = x (F0 + F1 x^2 + ...) below 1. */
  public static final float F0 = 1.1283791f;

  public static final float F1 = -0.37612626f;
  public static final float F2 = 0.112836f;
  public static final float F3 = -0.026854444f;
  public static final float F4 = 0.005189535f;
  public static final float F5 = -0.0008020838f;
  public static final float F6 = 7.889109e-05f;

  /** erf x = 1 - e^-(G0 + G1 x + ...) from 1 to 4, and 1 beyond. */
  public static final float G0 = -0.0001834476f;

  public static final float G1 = 1.1295569f;
  public static final float G2 = 0.6332626f;
  public static final float G3 = 0.10837252f;
  public static final float G4 = -0.025178995f;
  public static final float G5 = 0.004193622f;
  public static final float G6 = -0.00043910873f;
  public static final float G7 = 2.1496326e-05f;

  private FloatMath() {}

  public static float exp(float x) {
    float c = Math.min(Math.max(x, EXP_LEAST), EXP_MOST);
    float t = Math.fma(c, LOG2_E, ROUNDER);
    int n = Float.floatToRawIntBits(t) - ROUNDER_BITS;
    float k = t - ROUNDER;
    float r = Math.fma(k, -LN2_LOW, Math.fma(k, -LN2_HIGH, c));
    float e = Math.fma(Math.fma(Math.fma(Math.fma(E4, r, E3), r, E2), r, E1), r, E0);
    float y = Math.fma(e, r * r, r) + 1f;
    int half = n >> 1; // by two factors, as 2^n may be no float
    return y * power2(half) * power2(n - half);
  }

  private static float power2(int n) {
    return Float.intBitsToFloat((n + 127) << 23);
  }

  public static float log(float x) {
    boolean tiny = x < Float.MIN_NORMAL;
    float scaled = tiny ? x * 0x1p23f : x;
    int bits = Float.floatToRawIntBits(scaled) - SQRT_HALF_BITS;
    float k = (bits >> 23) - (tiny ? 23 : 0);
    float f = Float.intBitsToFloat((bits & 0x7fffff) + SQRT_HALF_BITS) - 1f;
    float z = f * f;
    float u = Math.fma(Math.fma(Math.fma(Math.fma(L8, f, L7), f, L6), f, L5), f, L4);
    u = Math.fma(Math.fma(Math.fma(Math.fma(u, f, L3), f, L2), f, L1), f, L0);
    u = Math.fma(u * f, z, k * LN2_LOW);
    u = Math.fma(-0.5f, z, u);
    float y = Math.fma(k, LN2_HIGH, f + u);
    y = x == Float.POSITIVE_INFINITY ? x : y;
    y = x == 0 ? Float.NEGATIVE_INFINITY : y;
    return x >= 0 ? y : Float.NaN;
  }

  public static float tanh(float x) {
    float m = Math.abs(x);
    float z = x * x;
    float t = Math.fma(Math.fma(Math.fma(Math.fma(T5, z, T4), z, T3), z, T2), z, T1);
    float small = Math.fma(Math.fma(t, z, T0) * z, x, x);
    float large = 1f - 2f / (exp(m + m) + 1f);
    return Math.copySign(m < TANH_SMALL ? small : large, x);
  }

  public static float sigmoid(float x) {
    return 1f / (1f + exp(-x));
  }

  public static float silu(float x) {
    return x / (1f + exp(-x));
  }

  public static float sin(float x) {
    return Math.abs(x) < ANGLE_MOST ? wave(x, 0) : (float) Math.sin(x);
  }

  public static float cos(float x) {
    return Math.abs(x) < ANGLE_MOST ? wave(x, 1) : (float) Math.cos(x);
  }

  /** The sine, so many quarters of a turn further. */
  private static float wave(float x, int quarters) {
    float t = Math.fma(x, TWO_BY_PI, ROUNDER);
    int n = Float.floatToRawIntBits(t) + quarters;
    float k = t - ROUNDER;
    float r = Math.fma(k, -HALF_PI_3, Math.fma(k, -HALF_PI_2, Math.fma(k, -HALF_PI_1, x)));
    float z = r * r;
    float s = Math.fma(Math.fma(Math.fma(S3, z, S2), z, S1), z, S0);
    float sine = Math.copySign(Math.fma(s * z, r, r), r);
    float c = Math.fma(Math.fma(Math.fma(C3, z, C2), z, C1), z, C0);
    float cosine = Math.fma(Math.fma(c, z, -0.5f), z, 1f);
    float y = (n & 1) == 0 ? sine : cosine;
    return (n & 2) == 0 ? y : -y;
  }

  public static float erf(float x) {
    float m = Math.abs(x);
    float z = x * x;
    float s = Math.fma(Math.fma(Math.fma(F6, z, F5), z, F4), z, F3);
    float small = Math.fma(Math.fma(Math.fma(s, z, F2), z, F1), z, F0) * x;
    float c = Math.min(m, 4f);
    float g = Math.fma(Math.fma(Math.fma(Math.fma(G7, c, G6), c, G5), c, G4), c, G3);
    g = Math.fma(Math.fma(Math.fma(g, c, G2), c, G1), c, G0);
    float large = 1f - exp(-g);
    return m < 1f ? small : Math.copySign(large, x);
  }

  public static float gelu(float x) {
    return 0.5f * x * (1f + erf(x * 0.70710678f));
  }

  public static float geluTanh(float x) {
    float inner = 0.7978845608f * Math.fma(0.044715f * x * x, x, x);
    return 0.5f * x * (1f + tanh(inner));
  }

  /** C's: 1 for an exponent of zero, NaN for a fractional power of a negative number. */
  public static float pow(float x, float y) {
    float m = Math.abs(x);
    double e = DoubleMath.log2(m) * (double) y;
    float r = (float) DoubleMath.exp2(e);
    boolean whole = y == (float) Math.rint(y);
    boolean odd = whole && Math.abs(y) < 0x1p24f && ((int) y & 1) != 0;
    boolean below = Float.floatToRawIntBits(x) < 0;
    r = below && odd ? -r : r;
    r = x < 0 && !whole && m != Float.POSITIVE_INFINITY ? Float.NaN : r;
    r = m == 1f && Math.abs(y) == Float.POSITIVE_INFINITY ? 1f : r;
    r = x != x || y != y ? Float.NaN : r;
    return x == 1f || y == 0f ? 1f : r;
  }
}
