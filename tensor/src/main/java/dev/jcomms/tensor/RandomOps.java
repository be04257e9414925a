package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;

/** Of {@link Ops}: random numbers; a generator of null is the default one of the device. */
abstract sealed class RandomOps extends FactorOps permits Ops {
  private static final Operator UNIFORM_ = operator("aten::uniform_");
  private static final Operator NORMAL_ = operator("aten::normal_");
  private static final Operator EXPONENTIAL_ = operator("aten::exponential_");
  private static final Operator BERNOULLI__FLOAT = operator("aten::bernoulli_.float");
  private static final Operator BERNOULLI__TENSOR = operator("aten::bernoulli_.Tensor");
  private static final Operator BERNOULLI = operator("aten::bernoulli");
  private static final Operator RANDOM__FROM = operator("aten::random_.from");
  private static final Operator MULTINOMIAL = operator("aten::multinomial");
  private static final Operator RAND_GENERATOR = operator("aten::rand.generator");
  private static final Operator RANDN_GENERATOR = operator("aten::randn.generator");
  private static final Operator RANDINT_LOW_GENERATOR = operator("aten::randint.low_generator");
  private static final Operator RANDPERM_GENERATOR = operator("aten::randperm.generator");

  RandomOps() {}

  public static Tensor uniform_(Tensor self, double from, double to, Generator generator) {
    try {
      return (Tensor) UNIFORM_.kernelFor(self).invokeExact(self, from, to, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor normal_(Tensor self, double mean, double std, Generator generator) {
    try {
      return (Tensor) NORMAL_.kernelFor(self).invokeExact(self, mean, std, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor exponential_(Tensor self, double lambd, Generator generator) {
    try {
      return (Tensor) EXPONENTIAL_.kernelFor(self).invokeExact(self, lambd, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor bernoulli_(Tensor self, double p, Generator generator) {
    try {
      return (Tensor) BERNOULLI__FLOAT.kernelFor(self).invokeExact(self, p, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor bernoulli_(Tensor self, Tensor p, Generator generator) {
    try {
      return (Tensor) BERNOULLI__TENSOR.kernelFor(self, p).invokeExact(self, p, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor bernoulli(Tensor self, Generator generator) {
    try {
      return (Tensor) BERNOULLI.kernelFor(self).invokeExact(self, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor random_(Tensor self, long from, Long to, Generator generator) {
    try {
      return (Tensor) RANDOM__FROM.kernelFor(self).invokeExact(self, from, to, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor multinomial(
      Tensor self, long numSamples, boolean replacement, Generator generator) {
    try {
      return (Tensor)
          MULTINOMIAL.kernelFor(self).invokeExact(self, numSamples, replacement, generator);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor rand(long[] size, Generator generator, DType dtype, Device device) {
    try {
      return (Tensor)
          RAND_GENERATOR
              .kernelFor(device)
              .invokeExact(size, generator, dtype, (Layout) null, device, (Boolean) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor randn(long[] size, Generator generator, DType dtype, Device device) {
    try {
      return (Tensor)
          RANDN_GENERATOR
              .kernelFor(device)
              .invokeExact(size, generator, dtype, (Layout) null, device, (Boolean) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor randint(
      long low, long high, long[] size, Generator generator, DType dtype, Device device) {
    try {
      return (Tensor)
          RANDINT_LOW_GENERATOR
              .kernelFor(device)
              .invokeExact(
                  low, high, size, generator, dtype, (Layout) null, device, (Boolean) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor randperm(long n, Generator generator, DType dtype, Device device) {
    try {
      return (Tensor)
          RANDPERM_GENERATOR
              .kernelFor(device)
              .invokeExact(n, generator, dtype, (Layout) null, device, (Boolean) null);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
