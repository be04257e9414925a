package dev.jcomms.jccl.internal.transport;

import dev.jcomms.spi.BackendContext;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The ranks of a communicator and where each lives. Immutable; the same on every rank.
 *
 * @param rank this rank
 * @param peers every rank's place, this one's too
 * @param transport the transport that was forced by hint; null if the places decide
 * @param ranksPerHost how many ranks in a row count as a host, also where they share one with more:
 *     forced by hint, to try on one machine what is meant for several; 0 if the places decide
 * @param id what no other communicator has, to name things after
 * @param tuned whether any rank was given a tuning table: then all compare theirs
 */
public record Roster(
    int rank, List<Peer> peers, Transport transport, int ranksPerHost, String id, boolean tuned) {
  /** A roster in which the places decide who shares a host. */
  public Roster(int rank, List<Peer> peers, Transport transport) {
    this(rank, peers, transport, 0, "", false);
  }

  /** How bytes get from one rank to another. */
  public enum Transport {
    /** One JVM: through its memory. */
    LOCAL,
    /** One host: through shared memory. */
    SHM,
    /** Through a socket. */
    TCP
  }

  /** The hints that decide who meets whom where. */
  private static final List<String> HINTS = List.of("transport", "ranks_per_host");

  private static final String TUNED = "tuned";

  /**
   * Tells the others where this rank is and what it was told to do, and learns it of them.
   *
   * @param tuned whether this rank was given a tuning table
   */
  public static Roster meet(BackendContext context, boolean tuned, Bulletin bulletin) {
    String mine =
        String.join(
            "\n",
            UUID.randomUUID().toString(),
            Peer.self().encode(),
            tuned ? TUNED : "",
            hints(context.hints()));
    List<String[]> all =
        bulletin.exchange("peer", mine).stream().map(text -> text.split("\n", 4)).toList();
    for (int r = 1; r < all.size(); r++) {
      requireAlike(all.getFirst()[3], r, all.get(r)[3]);
    }
    List<Peer> peers = all.stream().map(parts -> Peer.decode(parts[1])).toList();
    boolean anyTuned = all.stream().anyMatch(parts -> parts[2].equals(TUNED));
    return of(context.rank(), peers, context.hints(), all.getFirst()[0], anyTuned);
  }

  private static String hints(Map<String, String> hints) {
    return HINTS.stream()
        .filter(hint -> !hints.getOrDefault(hint, "").isBlank() && !hints.get(hint).equals("auto"))
        .map(hint -> hint + "=" + hints.get(hint))
        .collect(Collectors.joining(" "));
  }

  /** All ranks see the same hints, so all refuse alike. */
  private static void requireAlike(String first, int other, String its) {
    if (!its.equals(first)) {
      throw new IllegalArgumentException(
          "ranks must have the same hints: rank 0 has %s, rank %d has %s"
              .formatted(first.isEmpty() ? "none" : first, other, its.isEmpty() ? "none" : its));
    }
  }

  /** The roster of ranks in these places, under a communicator's hints. */
  public static Roster of(int rank, List<Peer> peers, Map<String, String> hints) {
    return of(rank, peers, hints, "", false);
  }

  private static Roster of(
      int rank, List<Peer> peers, Map<String, String> hints, String id, boolean tuned) {
    Transport forced = forced(hints.get("transport"));
    int ranksPerHost = number(hints.get("ranks_per_host"));
    Roster roster = new Roster(rank, peers, forced, ranksPerHost, id, tuned);
    roster.requirePossible();
    return roster;
  }

  private static Transport forced(String hint) {
    if (hint == null || hint.isBlank() || hint.equals("auto")) {
      return null;
    }
    return switch (hint) {
      case "local" -> Transport.LOCAL;
      case "shm" -> Transport.SHM;
      case "tcp" -> Transport.TCP;
      default ->
          throw new IllegalArgumentException(
              "hint transport=" + hint + " is not one of auto, local, shm, tcp");
    };
  }

  private static int number(String hint) {
    if (hint == null || hint.isBlank()) {
      return 0;
    }
    if (!hint.matches("[1-9]\\d{0,8}")) {
      throw new IllegalArgumentException(
          "hint ranks_per_host=" + hint + " is not a positive number");
    }
    return Integer.parseInt(hint);
  }

  /** All ranks see the same places, so all refuse alike. */
  private void requirePossible() {
    for (int r = 0; r < peers.size(); r++) {
      Peer first = peers.getFirst();
      if (transport == Transport.LOCAL && !peers.get(r).sameProcess(first)) {
        throw new IllegalArgumentException(
            "hint transport=local: rank " + r + " is not in rank 0's process");
      }
      if (transport == Transport.SHM && !peers.get(r).sameHost(first)) {
        throw new IllegalArgumentException(
            "hint transport=shm: rank " + r + " is not on rank 0's host");
      }
    }
  }

  public int size() {
    return peers.size();
  }

  /** How this rank reaches another. */
  public Transport to(int peer) {
    if (!sameHost(rank, peer)) {
      return Transport.TCP;
    }
    if (transport != null) {
      return transport;
    }
    return peers.get(rank).sameProcess(peers.get(peer)) ? Transport.LOCAL : Transport.SHM;
  }

  private boolean sameHost(int a, int b) {
    boolean together = ranksPerHost == 0 || a / ranksPerHost == b / ranksPerHost;
    return together && peers.get(a).sameHost(peers.get(b));
  }

  /**
   * The ranks that a rank shares memory with, itself included, in order: the rank's host. With TCP
   * forced, everybody is a host of its own.
   */
  public List<Integer> host(int of) {
    return IntStream.range(0, size())
        .filter(r -> r == of || transport != Transport.TCP && sameHost(r, of))
        .boxed()
        .toList();
  }

  /** How many ranks share this one's cores, whatever hints say of hosts. */
  public int ranksHere() {
    Peer self = peers.get(rank);
    return (int) peers.stream().filter(self::sameHost).count();
  }

  /** The hosts, each as its ranks in order, in the order of their first ranks. */
  public List<List<Integer>> hosts() {
    return IntStream.range(0, size()).mapToObj(this::host).distinct().toList();
  }

  /** Whether all ranks share memory. */
  public boolean oneHost() {
    return host(rank).size() == size();
  }

  /** Whether the ranks of this host are all in one JVM, and may meet in its memory. */
  public boolean oneProcess() {
    Peer self = peers.get(rank);
    return transport != Transport.SHM
        && host(rank).stream().allMatch(r -> peers.get(r).sameProcess(self));
  }
}
