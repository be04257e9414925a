/** Tensors: dtypes, devices, shapes, strided views over memory. Depends on nothing. */
module dev.jcomms.tensor {
  requires static jdk.incubator.vector;

  exports dev.jcomms.tensor;
}
