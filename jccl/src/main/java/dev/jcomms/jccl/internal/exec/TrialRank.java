package dev.jcomms.jccl.internal.exec;

import dev.jcomms.jccl.internal.JcclBackend;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.store.FileStore;
import dev.jcomms.store.Store;
import dev.jcomms.tensor.DType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One rank of trials, as a process: started by {@link TrialProcesses}, it meets the others at a
 * file, says the first difference and ends with 0 only if there is none.
 */
public final class TrialRank {
  /** Its exit status if a result was wrong; 1 is Java's own for what was thrown. */
  static final int WRONG = 3;

  private TrialRank() {}

  /**
   * @param args rank, ranks, the store's file, seconds, hints; then for each trial a plan's file,
   *     bytes, launches, dtype and packets
   */
  public static void main(String[] args) throws IOException {
    int rank = Integer.parseInt(args[0]);
    int ranks = Integer.parseInt(args[1]);
    Duration timeout = Duration.ofSeconds(Long.parseLong(args[3]));
    Map<String, String> hints =
        Stream.of(args[4].split(","))
            .filter(hint -> hint.contains("="))
            .collect(Collectors.toMap(h -> h.split("=")[0], h -> h.split("=")[1]));
    List<Trial> trials = new ArrayList<>();
    for (int i = 5; i < args.length; i += 5) {
      trials.add(
          new Trial(
              Plan.read(Path.of(args[i])),
              Long.parseLong(args[i + 1]),
              Integer.parseInt(args[i + 2]),
              DType.valueOf(args[i + 3]),
              PacketType.valueOf(args[i + 4]),
              hints,
              timeout));
    }
    Optional<String> difference = Optional.empty();
    try (Store store = FileStore.open(Path.of(args[2]), ranks, timeout);
        JcclBackend backend = JcclBackend.open(Trial.context(rank, ranks, store, hints, timeout))) {
      for (Trial trial : trials) {
        Optional<String> found = trial.on(backend, rank);
        difference = difference.or(() -> found.map(text -> trial.plan().name() + ": " + text));
      }
    }
    difference.ifPresent(System.out::println);
    System.exit(difference.isPresent() ? WRONG : 0);
  }
}
