package dev.jcomms.internal;

import dev.jcomms.BootstrapException;
import dev.jcomms.CommException;
import dev.jcomms.CommOptions;
import dev.jcomms.InitHandle;
import dev.jcomms.Setting;
import dev.jcomms.internal.bootstrap.Lodging;
import dev.jcomms.internal.bootstrap.MeetingPoint;
import dev.jcomms.spi.BackendProvider;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreTimeoutException;
import dev.jcomms.tensor.Device;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * One rank's part in one communicator: who it is among whom, where they meet and with what they
 * were made.
 *
 * @param ranks as ranks of the first communicator this one was split from
 * @param keys where this communicator's keys are in the store
 */
record Membership(
    String name,
    int rank,
    int size,
    List<Integer> ranks,
    Device device,
    Map<String, BackendProvider> providers,
    CommOptions options,
    Duration initTimeout,
    Map<String, String> environment,
    Lodging lodging,
    MeetingPoint meetingPoint,
    StoreKeys keys) {
  /** How long others are waited for that may never come. */
  static final Duration AFTER_A_FAILURE = Duration.ofSeconds(1);

  /** How long the store may be silent, at least. */
  static final Duration SILENCE = Duration.ofSeconds(5);

  /** How long others are waited for that will come. */
  static final Duration IN_HEALTH = Duration.ofSeconds(10);

  /** The part of the store that belongs to core. */
  Store coreStore() {
    return keys.below("core", lodging.store());
  }

  /** As {@link #coreStore()}, where nothing is waited for longer that can be answered at once. */
  Store coreStore(Duration patience) {
    return keys.below("core", lodging.store(patience));
  }

  /** The rank whose process has the store; -1 if that is none of these. */
  int storeHost() {
    return lodging.isAtFirstRank() ? ranks.indexOf(0) : -1;
  }

  /** The store as errors name it. */
  String storeInWords() {
    return "the job's "
        + lodging.store()
        + (lodging.isAtFirstRank() ? " in the process of its rank 0" : "");
  }

  /** The part of the store that belongs to a backend. */
  Store backendStore(String backend) {
    return keys.below("backend/" + backend, lodging.store());
  }

  /** Where flight records go, if anywhere. */
  Optional<Path> flightFolder() {
    String folder = Setting.FLIGHT_RECORDER_DIR.in(environment).text();
    return folder.isEmpty() ? Optional.empty() : Optional.of(Path.of(folder));
  }

  /** This rank's part in a communicator of some of these ranks. */
  Membership part(Agreement.Group group, CommOptions partOptions) {
    return new Membership(
        partOptions.name().orElse(name + ":" + group.id()),
        group.members().indexOf(rank),
        group.members().size(),
        group.members().stream().map(ranks::get).toList(),
        device,
        providers,
        partOptions,
        initTimeout,
        environment,
        lodging,
        MeetingPoint.of(environment, lodging),
        new StoreKeys(keys.root() + "/split/" + group.id()));
  }

  /**
   * This rank's part in a communicator of the owners of these handles, who meet at the first one's.
   * This part goes on until it is {@linkplain #handOver handed over}, so that another attempt can
   * follow one that failed.
   */
  Membership reconfigured(String uuid, List<InitHandle> handles) {
    if (!uuid.matches("[A-Za-z0-9_.:-]{1,100}")) {
      throw new IllegalArgumentException(
          "reconfigure: uuid='" + uuid + "' is not 1 to 100 letters, digits, _ . : -");
    }
    int next = handles.indexOf(meetingPoint.handle());
    if (next < 0) {
      throw new IllegalArgumentException(
          "reconfigure: handles=" + handles + " lack this rank's own, " + meetingPoint.handle());
    }
    if (handles.stream().distinct().count() < handles.size()) {
      throw new IllegalArgumentException("reconfigure: handles=" + handles + " have one twice");
    }
    return new Membership(
        name,
        next,
        handles.size(),
        IntStream.range(0, handles.size()).boxed().toList(),
        device,
        providers,
        options,
        initTimeout,
        environment,
        join(handles.getFirst(), next, handles.size(), uuid),
        meetingPoint,
        new StoreKeys("jcomms/" + uuid));
  }

  private Lodging join(InitHandle host, int next, int members, String uuid) {
    try {
      return meetingPoint.join(host, next, members, uuid, initTimeout);
    } catch (BootstrapException e) {
      throw e.at(new CommException.Site(name, "reconfigure", -1, rank, size));
    }
  }

  /**
   * Ends this rank's part in favour of one that was {@linkplain #reconfigured made from it}: the
   * job's store is left when that one ends.
   */
  void handOver(Membership next) {
    // Whoever was lost says no farewell.
    next.lodging.leaveLast(lodging, AFTER_A_FAILURE);
    meetingPoint.close();
  }

  /** Ends this rank's part; after a failure, others may never come and are not waited for long. */
  void leave(boolean failed) {
    if (!failed) {
      keys.clear(lodging.store(), size);
    }
    lodging.leave(ranks, failed ? AFTER_A_FAILURE : IN_HEALTH);
    meetingPoint.close();
  }

  /** Whether it was that the store did not answer, where no wait was asked for. */
  static boolean isSilence(Throwable failure) {
    return failure instanceof StoreTimeoutException late && late.missing().isEmpty();
  }

  /** Where something happened, for errors. */
  CommException.Site site(String op, long number) {
    return new CommException.Site(name(), op, number, rank(), size());
  }
}
