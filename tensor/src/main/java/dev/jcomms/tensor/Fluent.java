package dev.jcomms.tensor;

/** Of {@link Tensor}: the common operators as methods, each one call of {@link Ops}. */
abstract sealed class Fluent extends Differentiable permits Viewing {
  Fluent() {}

  /** The one element, as a number. */
  public Scalar item() {
    return Ops.localScalarDense(one());
  }

  /** Elementwise, shapes broadcast, dtypes promoted; so too the others. */
  public Tensor add(Tensor other) {
    return Ops.add(self(), other);
  }

  public Tensor add(double other) {
    return Ops.add(self(), Scalar.of(other));
  }

  public Tensor add(long other) {
    return Ops.add(self(), Scalar.of(other));
  }

  public Tensor sub(Tensor other) {
    return Ops.sub(self(), other);
  }

  public Tensor sub(double other) {
    return Ops.sub(self(), Scalar.of(other));
  }

  public Tensor sub(long other) {
    return Ops.sub(self(), Scalar.of(other));
  }

  public Tensor mul(Tensor other) {
    return Ops.mul(self(), other);
  }

  public Tensor mul(double other) {
    return Ops.mul(self(), Scalar.of(other));
  }

  public Tensor mul(long other) {
    return Ops.mul(self(), Scalar.of(other));
  }

  public Tensor div(Tensor other) {
    return Ops.div(self(), other);
  }

  public Tensor div(double other) {
    return Ops.div(self(), Scalar.of(other));
  }

  public Tensor div(long other) {
    return Ops.div(self(), Scalar.of(other));
  }

  /** In place; returns this tensor. So too the others that end in an underscore. */
  public Tensor add_(Tensor other) {
    return Ops.add_(self(), other);
  }

  public Tensor add_(double other) {
    return Ops.add_(self(), Scalar.of(other));
  }

  public Tensor sub_(Tensor other) {
    return Ops.sub_(self(), other);
  }

  public Tensor sub_(double other) {
    return Ops.sub_(self(), Scalar.of(other));
  }

  public Tensor mul_(Tensor other) {
    return Ops.mul_(self(), other);
  }

  public Tensor mul_(double other) {
    return Ops.mul_(self(), Scalar.of(other));
  }

  public Tensor div_(Tensor other) {
    return Ops.div_(self(), other);
  }

  public Tensor div_(double other) {
    return Ops.div_(self(), Scalar.of(other));
  }

  public Tensor pow(Tensor exponent) {
    return Ops.pow(self(), exponent);
  }

  public Tensor pow(double exponent) {
    return Ops.pow(self(), Scalar.of(exponent));
  }

  public Tensor pow(long exponent) {
    return Ops.pow(self(), Scalar.of(exponent));
  }

  public Tensor neg() {
    return Ops.neg(self());
  }

  public Tensor abs() {
    return Ops.abs(self());
  }

  public Tensor square() {
    return Ops.square(self());
  }

  public Tensor sqrt() {
    return Ops.sqrt(self());
  }

  public Tensor exp() {
    return Ops.exp(self());
  }

  public Tensor log() {
    return Ops.log(self());
  }

  public Tensor sin() {
    return Ops.sin(self());
  }

  public Tensor cos() {
    return Ops.cos(self());
  }

  public Tensor relu() {
    return Ops.relu(self());
  }

  public Tensor sigmoid() {
    return Ops.sigmoid(self());
  }

  public Tensor tanh() {
    return Ops.tanh(self());
  }

  public Tensor gelu() {
    return Ops.gelu(self());
  }

  public Tensor silu() {
    return Ops.silu(self());
  }

  /** Booleans, element by element. */
  public Tensor eq(Tensor other) {
    return Ops.eq(self(), other);
  }

  public Tensor eq(double other) {
    return Ops.eq(self(), Scalar.of(other));
  }

  public Tensor ne(Tensor other) {
    return Ops.ne(self(), other);
  }

  public Tensor ne(double other) {
    return Ops.ne(self(), Scalar.of(other));
  }

  public Tensor lt(Tensor other) {
    return Ops.lt(self(), other);
  }

  public Tensor lt(double other) {
    return Ops.lt(self(), Scalar.of(other));
  }

  public Tensor le(Tensor other) {
    return Ops.le(self(), other);
  }

  public Tensor le(double other) {
    return Ops.le(self(), Scalar.of(other));
  }

  public Tensor gt(Tensor other) {
    return Ops.gt(self(), other);
  }

  public Tensor gt(double other) {
    return Ops.gt(self(), Scalar.of(other));
  }

  public Tensor ge(Tensor other) {
    return Ops.ge(self(), other);
  }

  public Tensor ge(double other) {
    return Ops.ge(self(), Scalar.of(other));
  }

  public Tensor maximum(Tensor other) {
    return Ops.maximum(self(), other);
  }

  public Tensor minimum(Tensor other) {
    return Ops.minimum(self(), other);
  }

  /** Vectors, matrices and batches of them, as in PyTorch. */
  public Tensor matmul(Tensor other) {
    return Ops.matmul(self(), other);
  }

  public Tensor mm(Tensor other) {
    return Ops.mm(self(), other);
  }

  /** Over all elements; with dimensions over those. */
  public Tensor sum() {
    return Ops.sum(self());
  }

  public Tensor sum(long... dims) {
    return Ops.sum(self(), dims);
  }

  public Tensor mean() {
    return Ops.mean(self());
  }

  public Tensor mean(long... dims) {
    return Ops.mean(self(), dims);
  }

  public Tensor max() {
    return Ops.max(self());
  }

  public Tensor min() {
    return Ops.min(self());
  }

  public Tensor argmax(long dim) {
    return Ops.argmax(self(), dim, false);
  }

  public Tensor softmax(long dim) {
    return Ops.softmax(self(), dim, null);
  }

  public Tensor logSoftmax(long dim) {
    return Ops.logSoftmax(self(), dim, null);
  }

  private Tensor one() {
    if (self().elements() != 1) {
      throw new IllegalStateException(
          "item: a tensor of shape " + self().shape() + " is not one number");
    }
    return self();
  }
}
