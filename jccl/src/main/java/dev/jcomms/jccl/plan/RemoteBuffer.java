package dev.jcomms.jccl.plan;

import java.util.List;

/** A buffer of another rank that this one reaches, and through which types of channel. */
public record RemoteBuffer(int rank, BufferType buffer, List<ChannelType> access) {
  public RemoteBuffer {
    access = List.copyOf(access);
  }
}
