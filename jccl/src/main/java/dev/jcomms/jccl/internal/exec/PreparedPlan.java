package dev.jcomms.jccl.internal.exec;

import dev.jcomms.CommException;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Deadline;
import dev.jcomms.jccl.internal.transport.UserMemory;
import dev.jcomms.jccl.plan.BufferType;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.PlanLayout;
import dev.jcomms.tensor.DType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A plan that all ranks of a communicator are ready to run, for messages up to a size. Made by
 * {@link Executor#prepare}. Any thread, one launch at a time, in the same order on all ranks.
 *
 * <p>Launches are numbered; the number is the packets' flag, and chooses the half of a doubled
 * scratch. A rank begins a launch when all are through with the one before, or with a doubled
 * scratch, with the one before that: so no rank writes to what another still has to read, however
 * the plan is made.
 */
public final class PreparedPlan implements AutoCloseable {
  /** Sizes of which the steps are kept. */
  private static final int PROGRAMS = 64;

  private final Plan plan;
  private final int rank;
  private final long mostBytes;
  private final long mostChunkBytes;
  private final PlanMemory memory;
  private final Fixtures fixtures;
  private final boolean exposed;
  private final boolean ownsInput;
  private final boolean mustStage;
  private final Alarm alarm;
  private final Neighbours neighbours;
  private final Runner runner;
  private final Launch launch;
  private final Gate gate;
  private final ReentrantLock underWay = new ReentrantLock();

  /** By the bytes of a chunk. */
  private final Map<Long, Program> programs =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Program> eldest) {
          return size() > PROGRAMS;
        }
      };

  private Program last;
  private long lastInput = -1;
  private long lastOutput = -1;
  private DType lastDtype;
  private PacketType lastPackets;
  private long launches;

  /**
   * The launch under way for which buffers of this rank's caller are shown to others; 0 for none.
   */
  private long shown;

  private boolean closed;
  private MemorySegment copy;

  PreparedPlan(
      Plan plan,
      int rank,
      long mostBytes,
      PlanMemory memory,
      Exposure exposure,
      Alarm alarm,
      Neighbours neighbours,
      Runner runner) {
    this.plan = plan;
    this.rank = rank;
    this.mostBytes = mostBytes;
    this.mostChunkBytes = PlanLayout.forMessage(plan, rank, mostBytes).chunkBytes();
    this.memory = memory;
    this.alarm = alarm;
    this.neighbours = neighbours;
    this.runner = runner;
    this.fixtures = new Fixtures(plan, rank, memory);
    this.launch = new Launch(memory, rank);
    this.gate = new Gate(memory, rank, runner.pause());
    this.exposed = exposure.isExposed(rank);
    this.ownsInput = exposure.writesInputs() && !plan.collective().equals("test");
    boolean far = false;
    for (int by = 0; by < memory.ranks(); by++) {
      far |= memory.isFar(by) && exposure.touches(rank, by);
    }
    this.mustStage = far;
  }

  public Plan plan() {
    return plan;
  }

  /** The largest message it is ready for. */
  public long mostBytes() {
    return mostBytes;
  }

  /**
   * Runs the plan. Collective. Input and output may be the same memory, or one a part of the other
   * as the collective has it; the input is not written to unless it is also output, or the plan is
   * a test.
   *
   * @param dtype of what is reduced; anything of the right size for a plan that only moves
   * @throws IllegalArgumentException if the plan is not for such buffers
   * @throws CommException if the time is over, a rank is lost or the alarm was raised; the
   *     communicator is of no use then
   */
  public void run(
      MemorySegment input,
      MemorySegment output,
      DType dtype,
      PacketType packets,
      Deadline deadline) {
    underWay.lock();
    try {
      if (closed) {
        throw new IllegalStateException("plan '" + plan.name() + "' was closed");
      }
      Program program = program(input.byteSize(), output.byteSize());
      if (dtype != lastDtype || packets != lastPackets) {
        Grain.require(plan, dtype, packets);
        lastDtype = dtype;
        lastPackets = packets;
      }
      alarm.check();
      shown = 0;
      try {
        run(program, input, output, dtype, deadline);
      } catch (RuntimeException | Error e) {
        for (Block block : program.blocks()) {
          block.reset();
        }
        neighbours.fail(plan.name(), e, shown);
        throw e;
      } finally {
        launch.end();
      }
    } finally {
      underWay.unlock();
    }
  }

  private Program program(long inputBytes, long outputBytes) {
    if (inputBytes == lastInput && outputBytes == lastOutput) {
      return last;
    }
    PlanLayout layout = PlanLayout.of(plan, rank, inputBytes, outputBytes);
    long chunk = layout.chunkBytes();
    if (chunk > mostChunkBytes) {
      throw new IllegalArgumentException(
          "plan '%s' was prepared for messages up to %d bytes, in chunks of %d; this one's have %d"
              .formatted(plan.name(), mostBytes, mostChunkBytes, chunk));
    }
    last = programs.computeIfAbsent(chunk, _ -> Program.of(plan, layout, memory, fixtures));
    lastInput = inputBytes;
    lastOutput = outputBytes;
    return last;
  }

  private void run(
      Program program, MemorySegment input, MemorySegment output, DType dtype, Deadline deadline) {
    long number = launches + 1;
    if (memory.far() != null) {
      memory.far().patience(deadline.timeout());
    }
    gate.await(number - (plan.doubleScratch() ? 2 : 1), deadline);
    launches = number;
    Buffers buffers = buffers(program, input, output);
    launch.begin(number, dtype, program, buffers.input, buffers.output);
    if (exposed) {
      shown = buffers.isStaged() ? 0 : number;
      memory.show(number, buffers.input, buffers.inputAt, buffers.output, buffers.outputAt);
    }
    runner.run(program, launch, deadline);
    program.rewind();
    neighbours.requireNoFailure();
    memory.finish(number);
    if (exposed || memory.far() != null) {
      // Until then others may touch this rank's buffers, or have something on its way to it.
      gate.await(number, deadline);
      memory.hide(number);
    }
    buffers.result(output);
  }

  /**
   * What the steps use for input and output.
   *
   * @param inputAt what others are told of the input
   * @param outputAt what others are told of the output
   * @param copied whether the result has to be copied to the user's output
   */
  private record Buffers(
      MemorySegment input, long inputAt, MemorySegment output, long outputAt, boolean copied) {
    boolean isStaged() {
      return inputAt < 0;
    }

    void result(MemorySegment to) {
      if (copied) {
        MemorySegment.copy(output, 0, to, 0, to.byteSize());
      }
    }
  }

  private Buffers buffers(Program program, MemorySegment input, MemorySegment output) {
    Joint joint = program.joint();
    boolean stage = exposed && (mustStage || !isReachable(joint, input, output));
    if (stage) {
      return staged(program, input, output);
    }
    MemorySegment in = input;
    MemorySegment out = output;
    boolean copied = false;
    if (joint != null && !isJoined(joint, input, output)) {
      if (joint.outputAt() == 0 && joint.bytes() == output.byteSize()) {
        in = output.asSlice(joint.inputAt(), input.byteSize());
        MemorySegment.copy(input, 0, in, 0, input.byteSize());
      } else {
        in = copyOf(input);
        out = in.asSlice(joint.outputAt(), output.byteSize());
        copied = true;
      }
    } else if (joint == null && ownsInput) {
      in = copyOf(input);
    }
    if (!exposed) {
      return new Buffers(in, 0, out, 0, copied);
    }
    return new Buffers(in, memory.describe(in), out, memory.describe(out), copied);
  }

  /**
   * Whether the user's own memory is what a plan in place wants: not where the output is only a
   * part of the input, since the rest is not to be written to.
   */
  private boolean isJoined(Joint joint, MemorySegment input, MemorySegment output) {
    return joint.holds(input, output) && (!ownsInput || input.byteSize() <= output.byteSize());
  }

  /** Whether peers on this host can reach the user's own memory. */
  private boolean isReachable(Joint joint, MemorySegment input, MemorySegment output) {
    if (memory.isLocal()) {
      if (!UserMemory.isEverybodys(input) || !UserMemory.isEverybodys(output)) {
        throw new IllegalArgumentException(
            "plan '%s' reaches into other ranks' tensors, and this one's belongs to one thread;"
                    .formatted(plan.name())
                + " use Arena.ofShared() or ofAuto() for it");
      }
      return true;
    }
    boolean asTheyAre = joint == null ? !ownsInput : isJoined(joint, input, output);
    return asTheyAre
        && (input.byteSize() == 0 || memory.describe(input) != 0)
        && (output.byteSize() == 0 || memory.describe(output) != 0);
  }

  private Buffers staged(Program program, MemorySegment input, MemorySegment output) {
    MemorySegment part = memory.part();
    long inputAt = program.stagedInput(rank);
    long outputAt = program.stagedOutput(rank);
    MemorySegment in = part.asSlice(inputAt, input.byteSize());
    MemorySegment out = part.asSlice(outputAt, output.byteSize());
    // What the plan does not write to keeps what it has; the input wins where both are one.
    MemorySegment.copy(output, 0, out, 0, output.byteSize());
    MemorySegment.copy(input, 0, in, 0, input.byteSize());
    return new Buffers(in, PlanMemory.staged(inputAt), out, PlanMemory.staged(outputAt), true);
  }

  private MemorySegment copyOf(MemorySegment input) {
    if (copy == null || copy.byteSize() < input.byteSize()) {
      copy = Arena.ofAuto().allocate(Math.max(1, input.byteSize()), 64);
    }
    MemorySegment its = copy.asSlice(0, input.byteSize());
    MemorySegment.copy(input, 0, its, 0, input.byteSize());
    return its;
  }

  /** Bytes of this rank's input or output for a message. */
  public long bytes(BufferType buffer, long messageBytes) {
    return PlanLayout.forMessage(plan, rank, messageBytes).bytes(buffer);
  }

  /** Frees everything, when the ranks have come here, if they are on several hosts. Idempotent. */
  @Override
  public void close() {
    underWay.lock();
    try {
      if (!closed && memory.far() != null) {
        memory.far().close();
      }
      free();
    } finally {
      underWay.unlock();
    }
  }

  /** Frees everything at once: the mail has been closed. */
  void free() {
    underWay.lock();
    try {
      if (!closed) {
        closed = true;
        memory.close();
      }
    } finally {
      underWay.unlock();
    }
  }
}
