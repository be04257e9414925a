package dev.jcomms.jccl.internal.mail;

import java.lang.foreign.MemorySegment;

/** One frame, with a payload of its own or none. */
final class Note extends Source {
  private final Header content;
  private final MemorySegment payload;

  Note(Header content) {
    this(content, null);
  }

  Note(Header content, MemorySegment payload) {
    this.content = content;
    this.payload = payload;
  }

  @Override
  boolean next(Header header) {
    header.kind = content.kind;
    header.dtype = content.dtype;
    header.redop = content.redop;
    header.tag = content.tag;
    header.id = content.id;
    header.offset = content.offset;
    header.length = content.length;
    header.payload = payload == null ? 0 : (int) payload.byteSize();
    return true;
  }

  @Override
  MemorySegment payload() {
    return payload;
  }
}
