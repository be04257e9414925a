package dev.jcomms.jccl.dsl;

import dev.jcomms.jccl.plan.BufferType;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A program while it is being defined: gives out its ranks and the channels between them, which
 * take down what they are told. Made by {@link CollectiveProgram#define}; belongs to the thread
 * that defines the program, until the definition ends.
 *
 * <p>Ops of one thread block happen in the order in which they are written down; blocks run at the
 * same time. Chunks come source first, destination second.
 */
public final class ProgramBuilder {
  private final Recorder recorder;

  ProgramBuilder(Recorder recorder) {
    this.recorder = recorder;
  }

  public ProgramSpec spec() {
    return recorder.spec();
  }

  /** The numbers of all ranks. */
  public List<Integer> ranks() {
    return IntStream.range(0, spec().ranks()).boxed().toList();
  }

  public Rank rank(int rank) {
    return new Rank(recorder, rank);
  }

  /** A new memory channel; its ops are done by {@code from}. */
  public MemoryChannel memoryChannel(int from, int to) {
    return new MemoryChannel(recorder, from, to);
  }

  /** A new memory channel from each rank to each other. */
  public Mesh memoryMesh() {
    return memoryMesh(ranks());
  }

  /** A new memory channel from each of these ranks to each other. */
  public Mesh memoryMesh(List<Integer> ranks) {
    return new Mesh(recorder, ranks);
  }

  /** A new port channel; its ops are done by {@code from}. */
  public PortChannel portChannel(int from, int to) {
    return new PortChannel(recorder, from, to);
  }

  /** A new switch channel: the same buffer of all these ranks. */
  public SwitchChannel switchChannel(List<Integer> ranks, BufferType buffer) {
    return new SwitchChannel(recorder, ranks, buffer);
  }

  /**
   * What {@code body} writes down is done for the first {@code unitBytes} of each of its chunks,
   * then for the next, until {@code chunks} chunks are through; a pipeline, so that blocks can be
   * at different units. Loops do not nest.
   */
  public void loop(long unitBytes, int chunks, Runnable body) {
    recorder.loop(unitBytes, chunks, body);
  }
}
