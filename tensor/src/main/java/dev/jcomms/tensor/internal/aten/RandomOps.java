package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Generator;
import dev.jcomms.tensor.Layout;
import dev.jcomms.tensor.MemoryFormat;
import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.internal.cpu.Randoms;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;

/** Random numbers: a device brings uniform_, normal_ and their like, the rest is made of them. */
final class RandomOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();
  private static final Lookup RANDOMS = CpuKernels.in(Randoms.class);

  private RandomOps() {}

  static void define(Definitions d) {
    d.op(
            "uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None)"
                + " -> Tensor(a!)")
        .cpu(RANDOMS, "uniform");
    d.op(
            "normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None)"
                + " -> Tensor(a!)")
        .cpu(RANDOMS, "normal");
    d.op(
            "exponential_(Tensor(a!) self, float lambd=1., *, Generator? generator=None) ->"
                + " Tensor(a!)")
        .cpu(RANDOMS, "exponential");
    d.op(
            "bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) ->"
                + " Tensor(a!)")
        .cpu(RANDOMS, "bernoulli");
    d.op(
            "bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) ->"
                + " Tensor(a!)")
        .cpu(RANDOMS, "bernoulli");
    d.op(
            "random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) ->"
                + " Tensor(a!)")
        .cpu(RANDOMS, "random");
    d.op("random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)")
        .everywhere(LOOKUP, "randomTo");
    d.op("random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)")
        .everywhere(LOOKUP, "random");
    d.op("bernoulli(Tensor self, *, Generator? generator=None) -> Tensor")
        .everywhere(LOOKUP, "bernoulli");
    d.op("bernoulli.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)")
        .everywhere(LOOKUP, "bernoulliOut");
    d.op("bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor")
        .everywhere(LOOKUP, "bernoulliP");
    d.op(
            "multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator?"
                + " generator=None) -> Tensor")
        .cpu(RANDOMS, "multinomial")
        .exactOut("out");
    d.op(
            "rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device?"
                + " device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "rand");
    d.op(
            "rand.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None,"
                + " Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "randGenerator");
    d.op(
            "randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device?"
                + " device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "randn");
    d.op(
            "randn.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None,"
                + " Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "randnGenerator");
    d.op(
            "rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device?"
                + " device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor")
        .everywhere(LOOKUP, "randLike");
    d.op(
            "randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device?"
                + " device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor")
        .everywhere(LOOKUP, "randnLike");
    d.op(
            "randint(SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None,"
                + " Device? device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "randint");
    d.op(
            "randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout?"
                + " layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "randintLow");
    d.op(
            "randint.generator(SymInt high, SymInt[] size, *, Generator? generator, ScalarType?"
                + " dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "randintGenerator");
    d.op(
            "randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator?"
                + " generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool?"
                + " pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "randintLowGenerator");
    d.op(
            "randint_like(Tensor self, SymInt high, *, ScalarType? dtype=None, Layout?"
                + " layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat?"
                + " memory_format=None) -> Tensor")
        .everywhere(LOOKUP, "randintLike");
    d.op(
            "randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, ScalarType?"
                + " dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None,"
                + " MemoryFormat? memory_format=None) -> Tensor")
        .everywhere(LOOKUP, "randintLikeLow");
    d.op(
            "randperm(SymInt n, *, ScalarType? dtype=4, Layout? layout=None, Device?"
                + " device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "randperm");
    d.op(
            "randperm.generator(SymInt n, *, Generator? generator, ScalarType? dtype=4, Layout?"
                + " layout=None, Device? device=None, bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "randpermGenerator");
    d.op(
            "normal.float_float(float mean, float std, SymInt[] size, *, Generator?"
                + " generator=None, ScalarType? dtype=None, Layout? layout=None, Device? device=None,"
                + " bool? pin_memory=None) -> Tensor")
        .everywhere(LOOKUP, "normalFloatFloat");
    d.op(
            "normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) ->"
                + " Tensor")
        .everywhere(LOOKUP, "normalTensorFloat")
        .out("Tensor_float_out");
    d.op("normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor")
        .everywhere(LOOKUP, "normalFloatTensor")
        .out("float_Tensor_out");
    d.op(
            "normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) ->"
                + " Tensor")
        .everywhere(LOOKUP, "normalTensorTensor")
        .out("Tensor_Tensor_out");
  }

  static Tensor randomTo(Tensor self, long to, Generator generator) {
    return Ops.random_(self, 0, to, generator);
  }

  static Tensor random(Tensor self, Generator generator) {
    return Ops.random_(self, 0, null, generator);
  }

  static Tensor bernoulli(Tensor self, Generator generator) {
    Tensor out = Ops.empty(self.dtype(), self.shape().toArray(), self.device());
    return Ops.bernoulli_(out, self, generator);
  }

  static Tensor bernoulliOut(Tensor self, Generator generator, Tensor out) {
    Forms.resize("bernoulli", out, self.shape());
    return Ops.bernoulli_(out, self, generator);
  }

  static Tensor bernoulliP(Tensor self, double p, Generator generator) {
    Tensor out = Ops.empty(self.dtype(), self.shape().toArray(), self.device());
    return Ops.bernoulli_(out, p, generator);
  }

  static Tensor rand(long[] size, DType dtype, Layout layout, Device device, Boolean pin) {
    return randGenerator(size, null, dtype, layout, device, pin);
  }

  static Tensor randGenerator(
      long[] size, Generator generator, DType dtype, Layout layout, Device device, Boolean pin) {
    return Ops.uniform_(empty(size, dtype, DType.F32, device), 0, 1, generator);
  }

  static Tensor randn(long[] size, DType dtype, Layout layout, Device device, Boolean pin) {
    return randnGenerator(size, null, dtype, layout, device, pin);
  }

  static Tensor randnGenerator(
      long[] size, Generator generator, DType dtype, Layout layout, Device device, Boolean pin) {
    return Ops.normal_(empty(size, dtype, DType.F32, device), 0, 1, generator);
  }

  static Tensor randLike(
      Tensor self, DType dtype, Layout layout, Device device, Boolean pin, MemoryFormat format) {
    return Ops.uniform_(like(self, dtype, device), 0, 1, null);
  }

  static Tensor randnLike(
      Tensor self, DType dtype, Layout layout, Device device, Boolean pin, MemoryFormat format) {
    return Ops.normal_(like(self, dtype, device), 0, 1, null);
  }

  static Tensor randint(
      long high, long[] size, DType dtype, Layout layout, Device device, Boolean pin) {
    return randintLowGenerator(0, high, size, null, dtype, layout, device, pin);
  }

  static Tensor randintLow(
      long low, long high, long[] size, DType dtype, Layout layout, Device device, Boolean pin) {
    return randintLowGenerator(low, high, size, null, dtype, layout, device, pin);
  }

  static Tensor randintGenerator(
      long high,
      long[] size,
      Generator generator,
      DType dtype,
      Layout layout,
      Device device,
      Boolean pin) {
    return randintLowGenerator(0, high, size, generator, dtype, layout, device, pin);
  }

  static Tensor randintLowGenerator(
      long low,
      long high,
      long[] size,
      Generator generator,
      DType dtype,
      Layout layout,
      Device device,
      Boolean pin) {
    return Ops.random_(empty(size, dtype, DType.I64, device), low, high, generator);
  }

  static Tensor randintLike(
      Tensor self,
      long high,
      DType dtype,
      Layout layout,
      Device device,
      Boolean pin,
      MemoryFormat format) {
    return Ops.random_(like(self, dtype, device), 0, high, null);
  }

  static Tensor randintLikeLow(
      Tensor self,
      long low,
      long high,
      DType dtype,
      Layout layout,
      Device device,
      Boolean pin,
      MemoryFormat format) {
    return Ops.random_(like(self, dtype, device), low, high, null);
  }

  static Tensor randperm(long n, DType dtype, Layout layout, Device device, Boolean pin) {
    return randpermGenerator(n, null, dtype, layout, device, pin);
  }

  /** Shuffled on the host: there is no order to be had in parallel. */
  static Tensor randpermGenerator(
      long n, Generator generator, DType dtype, Layout layout, Device device, Boolean pin) {
    Tensor host = Randoms.randperm(n, dtype == null ? DType.I64 : dtype, generator);
    return device == null || device.equals(Device.CPU) ? host : Ops.toCopy(host, null, device);
  }

  static Tensor normalFloatFloat(
      double mean,
      double std,
      long[] size,
      Generator generator,
      DType dtype,
      Layout layout,
      Device device,
      Boolean pin) {
    return Ops.normal_(empty(size, dtype, DType.F32, device), mean, std, generator);
  }

  static Tensor normalTensorFloat(Tensor mean, double std, Generator generator) {
    return Ops.add(Ops.normal_(like(mean, null, null), 0, std, generator), mean);
  }

  static Tensor normalFloatTensor(double mean, Tensor std, Generator generator) {
    requireNotNegative(std);
    Tensor unit = Ops.normal_(like(std, null, null), 0, 1, generator);
    return Ops.add(Ops.mul(unit, std), Scalar.of(mean));
  }

  static Tensor normalTensorTensor(Tensor mean, Tensor std, Generator generator) {
    requireNotNegative(std);
    Shape shape = Shapes.broadcast("normal", mean.shape(), std.shape());
    Tensor unit =
        Ops.normal_(Ops.empty(mean.dtype(), shape.toArray(), mean.device()), 0, 1, generator);
    return Ops.add(Ops.mul(unit, std), mean);
  }

  private static void requireNotNegative(Tensor std) {
    Tensor host = std.device().equals(Device.CPU) ? std : Ops.toCopy(std, null, Device.CPU);
    for (double s : host.toDoubleArray()) {
      if (!(s >= 0)) {
        throw new IllegalArgumentException("normal: std has " + s + ", which must not be negative");
      }
    }
  }

  private static Tensor empty(long[] size, DType dtype, DType otherwise, Device device) {
    return Ops.empty(dtype == null ? otherwise : dtype, size, device);
  }

  private static Tensor like(Tensor self, DType dtype, Device device) {
    return Ops.empty(
        dtype == null ? self.dtype() : dtype,
        self.shape().toArray(),
        device == null ? self.device() : device);
  }
}
