package dev.jcomms.jccl.internal.exec;

/** Makes packets of data, and data of packets. By address: who calls has seen to the memory. */
interface PacketKernel {
  /** Writes data as packets; {@code bytes} is a multiple of four. */
  void pack(long data, long packets, int bytes, int flag);

  /** Takes packets apart as far as they have come; how many bytes of data that is. */
  int unpack(long packets, long data, int bytes, int flag);
}
