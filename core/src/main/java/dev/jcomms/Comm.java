package dev.jcomms;

import dev.jcomms.internal.CommFactory;
import dev.jcomms.store.Store;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A group of ranks that communicate: this rank's end of it.
 *
 * <p>Made by {@link #newComm}, {@link #newBuilder}, {@link #split} or {@link World}; making one is
 * collective over its ranks. Any thread may call it; its operations (see {@link Collectives} and
 * {@link ObjectCollectives}) take effect in call order. Communicators are independent of each
 * other.
 *
 * <p>After {@link #close} every call but {@code close} and the plain questions is an {@link
 * IllegalStateException}. A communicator that has lost a peer, timed out or been aborted is
 * poisoned: every further operation fails at once with the first failure, and {@link #reconfigure}
 * builds a new one among the survivors.
 */
public interface Comm extends Collectives, ObjectCollectives, AutoCloseable {

  /**
   * A backend, as it was opened for a communicator.
   *
   * @param transport how its ranks reach each other: {@code local} for the memory of one JVM,
   *     {@code shm} for that of one host, {@code tcp}, {@code mixed} for both inside and between
   *     hosts, or a word of its own; empty where it does not say. The same on all ranks
   */
  record BackendInfo(String name, String version, String transport) {
    /** Its name and version. */
    @Override
    public String toString() {
      return name + " " + version;
    }
  }

  /**
   * A communicator of all ranks of the job, found by the environment; without one, a world of this
   * rank alone.
   *
   * @param backend a backend's name, or one per device type: {@code "cpu:jccl,cuda:nccl"}
   */
  static Comm newComm(String backend, Device device) {
    return newBuilder(backend, device).build();
  }

  /**
   * As {@link #newComm(String, Device)} on the CPU, with the backend that {@link #defaultBackend}
   * names.
   */
  static Comm newComm() {
    return newComm(defaultBackend(), Device.CPU);
  }

  /**
   * The backend where none is named: {@link Setting#BACKEND}, else {@code jccl}, else {@code
   * reference}.
   */
  static String defaultBackend() {
    return CommFactory.defaultBackend(System.getenv());
  }

  /** A communicator made with options. */
  static Builder newBuilder(String backend, Device device) {
    return CommFactory.newBuilder(backend, device);
  }

  /**
   * What a communicator is made with. Used by one thread. Whatever is not given comes from the
   * environment.
   */
  interface Builder {
    /** The name in messages and records; {@code "main"} unless given. */
    Builder name(String name);

    /** This rank and the number of ranks. */
    Builder ranks(int rank, int size);

    /** The store to meet at, which stays the caller's to close. */
    Builder store(Store store);

    /** The timeout of operations that have none of their own. */
    Builder timeout(Duration timeout);

    /** How long the ranks may take to find each other. */
    Builder initTimeout(Duration timeout);

    /** One hint more for the backend. */
    Builder hint(String name, String value);

    /**
     * Whether a failed operation ends the process, after the flight record was dumped. Off unless
     * set. What fails because this process has aborted or reconfigured the communicator ends
     * nothing.
     */
    Builder abortProcessOnError(boolean abort);

    /** The environment to read instead of the process's own. */
    Builder environment(Map<String, String> environment);

    /** Meets the other ranks and opens the backend. */
    Comm build();
  }

  /** This rank, from 0 to {@link #size()} - 1. */
  int rank();

  /** The number of ranks. */
  int size();

  /** The ranks of this communicator as ranks of the first one it was split from, by position. */
  List<Integer> ranks();

  /** The name in messages and records. */
  String name();

  /**
   * A name that no other communicator of this process has, nor ever had: how operators ({@link
   * CommOps}) are told which one they are to use. It says nothing to other processes.
   */
  String handle();

  /** The device given when it was made. */
  Device device();

  /** The backend that serves {@link #device()}. */
  BackendInfo backend();

  /** The backend of each device type. */
  Map<String, BackendInfo> backends();

  /** What it was made with. */
  CommOptions options();

  /** Changes the timeout of operations that have none of their own. */
  void timeout(Duration timeout);

  /** Whether {@link #abort} was called, or a failure has poisoned the communicator. */
  boolean isAborted();

  /** Starts collecting sends and receives to be issued together. */
  Batch batch();

  /**
   * A communicator of some of the ranks. Collective over this one: every rank gives the list of the
   * group it is in.
   *
   * @param ranks ranks of this communicator; the new rank is the position here. Empty: no part in
   *     any group
   * @return empty for an empty list
   * @throws IllegalArgumentException on every rank alike, if any rank's list lacks that rank, has a
   *     rank twice or one out of range, or differs from that of another member
   * @throws BootstrapException if the job's store is gone, where ranks meet: with the process of
   *     rank 0, say. This communicator goes on, if it has lost none of its own
   */
  default Optional<Comm> split(List<Integer> ranks) {
    return split(ranks, options().unnamed());
  }

  /** As {@link #split(List)}, with options of its own. */
  Optional<Comm> split(List<Integer> ranks, CommOptions options);

  /**
   * A communicator of the ranks that give the same color, ordered by key and then by rank.
   * Collective over this one.
   *
   * @param color not negative, or -1 for no part in any group
   */
  default Optional<Comm> split(int color, int key) {
    return split(color, key, options().unnamed());
  }

  /** As {@link #split(int, int)}, with options of its own. */
  Optional<Comm> split(int color, int key, CommOptions options);

  /**
   * Records the operations that {@code operations} calls on this communicator, instead of running
   * them.
   */
  CommGraph capture(Runnable operations);

  /** A window without memory yet. Collective. */
  Window newWindow();

  /** A window over a tensor. Collective. */
  default Window newWindow(Tensor tensor) {
    Window window = newWindow();
    window.register(tensor);
    return window;
  }

  /**
   * A new tensor of zeros, this rank's own, in memory that the other ranks can reach: operations on
   * it copy nothing that they need not. It is a tensor like any other, as are views of it, and may
   * be used together with ordinary ones; an operation gains most where all ranks bring symmetric
   * tensors, at the same offset.
   *
   * <p>Collective, in turn with the other operations; cannot be recorded by {@link #capture}. The
   * memory is freed when the communicator is closed: a later use of the tensor is an {@link
   * IllegalStateException}.
   *
   * @throws CommMismatchException if ranks ask for different dtypes or shapes
   * @throws UnsupportedOperationException if the backend of {@link #device()} has no such memory
   */
  default Tensor symmetric(DType dtype, Shape shape) {
    return symmetric(dtype, shape, OpOptions.DEFAULT);
  }

  /** As {@link #symmetric(DType, Shape)}, with a deadline or hints of its own. */
  Tensor symmetric(DType dtype, Shape shape, OpOptions options);

  /** Adds a hook; closing the registration takes it away. */
  Registration addHook(Hook hook);

  /** The record of the last operations. */
  FlightRecorder flightRecorder();

  /** Whether the backend of {@link #device()} has a feature at its version. */
  boolean has(Feature feature);

  /**
   * Refuses to go on without a feature.
   *
   * @throws UnsupportedOperationException with the version found and the version needed
   */
  void require(Feature feature);

  /**
   * Wakes every waiter with {@link CommAbortedException}; the first reason wins. Any thread, any
   * time.
   */
  void abort(String reason);

  /**
   * Where this rank can be met for {@link #reconfigure}: the same on every call. The first call
   * opens a store of this rank's own, on the way to the job's master.
   *
   * @throws IllegalStateException if the job has no secret and spans hosts: that store would serve
   *     strangers. Set {@code JCOMMS_SECRET} for every rank, newcomers included
   */
  InitHandle initHandle();

  /**
   * A communicator of the owners of these handles, in this order; ends this one. Collective over
   * the new ranks, which need not have met before; those that have no launcher in common need the
   * same {@code JCOMMS_SECRET}.
   *
   * <p>If the new ranks do not find each other, this communicator is poisoned but not closed:
   * another attempt, with another uuid and other handles, can follow.
   *
   * @param uuid the same on every new rank, and never used before by any of them
   * @throws BootstrapException if the new ranks do not find each other within the init timeout
   */
  Comm reconfigure(String uuid, List<InitHandle> handles);

  /** As with a list, where the order does not matter: the handles' own order decides. */
  default Comm reconfigure(String uuid, Set<InitHandle> handles) {
    return reconfigure(uuid, handles.stream().sorted().toList());
  }

  /** Waits for pending work, then frees everything. Idempotent. */
  @Override
  void close();
}
