package dev.jcomms.tensor;

import java.lang.invoke.MethodHandle;

/** Of {@link Ops}: random numbers; a generator of null is the default one of the device. */
abstract sealed class RandomOps extends WindowOps permits Ops {
  private static final MethodHandle UNIFORM_ = handle("aten::uniform_");
  private static final MethodHandle NORMAL_ = handle("aten::normal_");
  private static final MethodHandle EXPONENTIAL_ = handle("aten::exponential_");
  private static final MethodHandle BERNOULLI__FLOAT = handle("aten::bernoulli_.float");
  private static final MethodHandle BERNOULLI__TENSOR = handle("aten::bernoulli_.Tensor");
  private static final MethodHandle BERNOULLI = handle("aten::bernoulli");
  private static final MethodHandle RANDOM__FROM = handle("aten::random_.from");
  private static final MethodHandle MULTINOMIAL = handle("aten::multinomial");
  private static final MethodHandle RAND_GENERATOR = handle("aten::rand.generator");
  private static final MethodHandle RANDN_GENERATOR = handle("aten::randn.generator");
  private static final MethodHandle RANDINT_LOW_GENERATOR = handle("aten::randint.low_generator");
  private static final MethodHandle RANDPERM_GENERATOR = handle("aten::randperm.generator");

  RandomOps() {}

  public static Tensor uniform_(Tensor self, double from, double to, Generator generator) {
    try {
      return (Tensor) UNIFORM_.invokeExact(self, from, to, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor normal_(Tensor self, double mean, double std, Generator generator) {
    try {
      return (Tensor) NORMAL_.invokeExact(self, mean, std, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor exponential_(Tensor self, double lambd, Generator generator) {
    try {
      return (Tensor) EXPONENTIAL_.invokeExact(self, lambd, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor bernoulli_(Tensor self, double p, Generator generator) {
    try {
      return (Tensor) BERNOULLI__FLOAT.invokeExact(self, p, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor bernoulli_(Tensor self, Tensor p, Generator generator) {
    try {
      return (Tensor) BERNOULLI__TENSOR.invokeExact(self, p, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor bernoulli(Tensor self, Generator generator) {
    try {
      return (Tensor) BERNOULLI.invokeExact(self, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor random_(Tensor self, long from, Long to, Generator generator) {
    try {
      return (Tensor) RANDOM__FROM.invokeExact(self, from, to, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor multinomial(
      Tensor self, long numSamples, boolean replacement, Generator generator) {
    try {
      return (Tensor) MULTINOMIAL.invokeExact(self, numSamples, replacement, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor rand(long[] size, Generator generator, DType dtype, Device device) {
    try {
      return (Tensor)
          RAND_GENERATOR.invokeExact(size, generator, dtype, (Layout) null, device, (Boolean) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor randn(long[] size, Generator generator, DType dtype, Device device) {
    try {
      return (Tensor)
          RANDN_GENERATOR.invokeExact(
              size, generator, dtype, (Layout) null, device, (Boolean) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor randint(
      long low, long high, long[] size, Generator generator, DType dtype, Device device) {
    try {
      return (Tensor)
          RANDINT_LOW_GENERATOR.invokeExact(
              low, high, size, generator, dtype, (Layout) null, device, (Boolean) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor randperm(long n, Generator generator, DType dtype, Device device) {
    try {
      return (Tensor)
          RANDPERM_GENERATOR.invokeExact(
              n, generator, dtype, (Layout) null, device, (Boolean) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
