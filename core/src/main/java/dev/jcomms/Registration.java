package dev.jcomms;

/**
 * Something that was added and can be taken back, once: a hook, a backend. Closing it again does
 * nothing.
 */
public interface Registration extends AutoCloseable {
  @Override
  void close();
}
