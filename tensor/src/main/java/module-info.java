/** Tensors: dtypes, devices, shapes, strided views over memory. Depends on nothing. */
module dev.jcomms.tensor {
  exports dev.jcomms.tensor;
}
