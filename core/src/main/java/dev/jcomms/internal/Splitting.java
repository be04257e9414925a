package dev.jcomms.internal;

import dev.jcomms.BackendException;
import dev.jcomms.BootstrapException;
import dev.jcomms.Comm;
import dev.jcomms.CommAbortedException;
import dev.jcomms.CommException;
import dev.jcomms.CommOptions;
import dev.jcomms.PeerLostException;
import dev.jcomms.store.StoreException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Makes communicators of parts of one. A split that fails on one rank ends it on all, unless it
 * fails because the store is gone, and so on all.
 */
final class Splitting {
  private static final String NAME = "split";

  private final Communicator comm;
  private final Membership self;
  private final Agreement agreement;

  Splitting(Communicator comm, Membership self, Agreement agreement) {
    this.comm = comm;
    this.self = self;
    this.agreement = agreement;
  }

  Optional<Comm> split(List<Integer> ranks, CommOptions options) {
    return split(() -> agreement.split(ranks), options);
  }

  Optional<Comm> split(int color, int key, CommOptions options) {
    return split(() -> agreement.split(color, key), options);
  }

  private Optional<Comm> split(Supplier<Optional<Agreement.Group>> agreed, CommOptions options) {
    requireAlive();
    return comm.inTurn(NAME, _ -> agree(agreed)).map(part -> open(part, options));
  }

  private Optional<Agreement.Group> agree(Supplier<Optional<Agreement.Group>> agreed) {
    try {
      return agreed.get();
    } catch (BootstrapException gone) {
      comm.guard().failed(null, gone); // for all alike
      throw gone;
    } catch (CommException e) {
      // The others count one split more than this rank, or wait for it: nobody can go on.
      comm.guard().fatal(e);
      throw e;
    }
  }

  /** Throws if the whole has failed, whether or not an operation has met it yet. */
  private void requireAlive() {
    comm.guard().requireAlive(NAME);
  }

  /** The members of a part wait for each other: not for one that the whole has lost. */
  private Comm open(Agreement.Group group, CommOptions options) {
    Membership part = self.part(group, options);
    try (Watch watch = new Watch(part.name() + "-" + part.rank())) {
      return watch.during(() -> CommFactory.open(part), this::requireAlive);
    } catch (IllegalArgumentException | UnsupportedOperationException refusal) {
      throw refusal; // of what all members have asked for
    } catch (CommException e) {
      throw told(group, e);
    } catch (RuntimeException | Error e) {
      throw told(group, new BackendException("a part could not be opened: " + e, e));
    }
  }

  /** Tells the whole why a part has failed, and returns what this rank is to hear. */
  private CommException told(Agreement.Group group, CommException failure) {
    requireAlive(); // if the whole has failed, that is what ended the wait
    if (failure.getCause() instanceof StoreException lost) {
      agreement.requireNoLoss(NAME, lost);
    }
    // No part can be opened then: the whole is as well as it was.
    if (!(failure instanceof PeerLostException) && self.lodging().isStoreGone()) {
      BootstrapException gone = agreement.gone(failure).at(self.site(NAME, -1));
      comm.guard().failed(null, gone);
      return gone;
    }
    // Those that wait for this rank in there look here whether it will come.
    comm.guard().fatal(ofTheWhole(group, failure).at(self.site(NAME, -1)));
    if (failure instanceof PeerLostException) {
      requireAlive(); // says it as the whole counts its ranks
    }
    return failure.comm() == null ? failure.at(self.site(NAME, -1)) : failure;
  }

  /** A failure among the members of a part, as one of the whole. */
  private static CommException ofTheWhole(Agreement.Group group, CommException failure) {
    if (failure instanceof PeerLostException lost) {
      Set<Integer> ranks =
          lost.missingRanks().stream().map(group.members()::get).collect(Collectors.toSet());
      return new PeerLostException(ranks, "a part of it: " + lost.getMessage());
    }
    return new CommAbortedException(failure.getMessage(), failure);
  }
}
