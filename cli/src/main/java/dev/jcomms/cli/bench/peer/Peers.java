package dev.jcomms.cli.bench.peer;

import java.util.List;
import java.util.stream.Collectors;

/** The peers there are. */
public final class Peers {
  private Peers() {}

  /**
   * The peer of a name.
   *
   * @throws IllegalArgumentException listing those there are
   */
  public static Peer of(String name) {
    List<Peer> all = List.of(new OpenMpi(), new Gloo());
    return all.stream()
        .filter(peer -> peer.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no peer named '%s'; there are %s"
                        .formatted(
                            name, all.stream().map(Peer::name).collect(Collectors.joining(", ")))));
  }
}
