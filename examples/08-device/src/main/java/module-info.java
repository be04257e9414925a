/** A device of one's own: being on the module path brings {@code Device.of("tiny")}. */
module dev.jcomms.examples.tiny {
  requires dev.jcomms.tensor;

  provides dev.jcomms.tensor.spi.DeviceProvider with
      dev.jcomms.examples.tiny.TinyChip;
  provides dev.jcomms.tensor.spi.OperatorLibrary with
      dev.jcomms.examples.tiny.TinyLibrary;
}
