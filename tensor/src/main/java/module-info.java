/**
 * Tensors: dtypes, devices, shapes, strided views over memory; operators and the dispatcher that
 * brings them to a device. Depends on nothing.
 */
@SuppressWarnings("module") // it is compiled before those it exports to
module dev.jcomms.tensor {
  requires static jdk.incubator.vector;

  exports dev.jcomms.tensor;
  exports dev.jcomms.tensor.autograd;
  exports dev.jcomms.tensor.dispatch;
  exports dev.jcomms.tensor.optim;
  exports dev.jcomms.tensor.spi;
  exports dev.jcomms.tensor.internal.memory to
      dev.jcomms,
      dev.jcomms.jccl;

  uses dev.jcomms.tensor.spi.DeviceProvider;
  uses dev.jcomms.tensor.spi.OperatorLibrary;
}
