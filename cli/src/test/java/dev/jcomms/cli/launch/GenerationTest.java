package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.cli.CliException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class GenerationTest {
  @Test
  void otherNodesHearOfRanksThatCannotBeStarted() {
    Told nodes = new Told();
    try (JobFolder folder = JobFolder.create(Optional.empty(), "job");
        Guard guard = new Guard("no-such-job", folder)) {
      Generation generation =
          new Generation(3, StoreNodesTest.spec(1, 2), nodes, guard, new LinkedBlockingQueue<>());
      assertThatThrownBy(
              () ->
                  generation.run(
                      Placement.onNode(1, List.of(1, 1)),
                      at -> {
                        throw CliException.failure("cannot start rank " + at.rank());
                      }))
          .isInstanceOf(CliException.class);
    }
    assertThat(nodes.said).containsExactly("stopped 3: node 1: cannot start rank 1");
  }

  /** Keeps what a node says to the others. */
  private static final class Told implements Nodes {
    private final List<String> said = new ArrayList<>();

    @Override
    public Optional<List<Integer>> meet(int generation, int ranksHere) {
      return Optional.empty();
    }

    @Override
    public void done(int generation) {
      said.add("done " + generation);
    }

    @Override
    public void failed(int generation, int status, String what) {
      said.add("failed " + generation + ": " + what);
    }

    @Override
    public void stopped(int generation, String why) {
      said.add("stopped " + generation + ": " + why);
    }

    @Override
    public void close() {}
  }
}
