package dev.jcomms.jccl.internal.dsl;

import dev.jcomms.jccl.plan.ChannelType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks that every signal has its wait. The k-th channel from a to b pairs with the k-th channel
 * from b to a, so signals on the one are counted against waits on the other.
 *
 * <p>Where only ranks are compared, as MSCCL++ does, all channels between two ranks count as one,
 * and so do loops.
 */
public final class Pairing {
  /** A way from one rank to another that signals take. */
  private record Way(ChannelType type, int from, int to, int channel, String loop) {
    boolean isBeside(Way other) {
      return type == other.type && from == other.from && to == other.to && loop.equals(other.loop);
    }

    @Override
    public String toString() {
      return "%s channel%s from rank %d to rank %d%s"
          .formatted(type.code(), channel < 0 ? "s" : " " + channel, from, to, loop);
    }
  }

  private static final class Counts {
    final List<Caller> signals = new ArrayList<>();
    final List<Caller> waits = new ArrayList<>();
  }

  /** What is wrong, and the line to look at. */
  public record Mismatch(Caller caller, String problem) {}

  private final boolean byChannel;
  private final Map<Way, Counts> ways = new LinkedHashMap<>();

  /**
   * @param byChannel whether each channel, inside and outside of each kind of loop, is counted
   *     alone
   */
  public Pairing(boolean byChannel) {
    this.byChannel = byChannel;
  }

  /**
   * Notes a signal.
   *
   * @param channel the how-many-eth of {@code from}'s channels to {@code to} it goes through
   * @param loop the loop that it is in, in words; empty outside
   */
  public void signal(ChannelType type, int from, int to, int channel, String loop) {
    counts(type, from, to, channel, loop).signals.add(Caller.current());
  }

  /** Notes a wait of {@code waiter} for {@code signaller}. */
  public void await(ChannelType type, int waiter, int signaller, int channel, String loop) {
    counts(type, signaller, waiter, channel, loop).waits.add(Caller.current());
  }

  private Counts counts(ChannelType type, int from, int to, int channel, String loop) {
    Way way = new Way(type, from, to, byChannel ? channel : -1, byChannel ? loop : "");
    return ways.computeIfAbsent(way, _ -> new Counts());
  }

  /** The first way whose signals and waits differ in number. */
  public Optional<Mismatch> mismatch() {
    for (Map.Entry<Way, Counts> entry : ways.entrySet()) {
      Way way = entry.getKey();
      int signals = entry.getValue().signals.size();
      int waits = entry.getValue().waits.size();
      if (signals != waits) {
        // The first one that has no partner.
        Caller caller =
            signals > waits
                ? entry.getValue().signals.get(waits)
                : entry.getValue().waits.get(signals);
        return Optional.of(
            new Mismatch(
                caller,
                "%s: rank %d signals %d times, but rank %d waits %d times%s"
                    .formatted(way, way.from(), signals, way.to(), waits, crossed(way))));
      }
    }
    return Optional.empty();
  }

  /** Where the partners are, if two channels between the same ranks were mixed up. */
  private String crossed(Way way) {
    Counts here = ways.get(way);
    return ways.entrySet().stream()
        .filter(other -> other.getKey().isBeside(way))
        .filter(
            other ->
                other.getValue().waits.size() - other.getValue().signals.size()
                    == here.signals.size() - here.waits.size())
        .findFirst()
        .map(
            other ->
                "; on channel %d it is the other way round: the k-th channel from one rank to another goes"
                        .formatted(other.getKey().channel())
                    + " with the k-th back")
        .orElse("");
  }
}
