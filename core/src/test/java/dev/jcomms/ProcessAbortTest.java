package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.fake.FakeProvider;
import dev.jcomms.fake.FakeScript;
import dev.jcomms.spi.Backends;
import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that is to end when an operation fails does so, and one that is not goes on. */
class ProcessAbortTest {
  private static final int ABORTED = 134;
  private static final OpOptions SOON = OpOptions.timeout(Duration.ofMillis(50));
  private static final Tensor X = Tensor.ones(Shape.of(4));
  private static final FakeScript SCRIPT = new FakeScript();

  /** What a process of its own does with a communicator. */
  enum Life {
    OPERATION_FAILS(true) {
      @Override
      void live(Comm.Builder builder) {
        SCRIPT.hangOnce(Collective.Broadcast.class);
        builder.abortProcessOnError(true).build().broadcast(X, 0, SOON);
      }
    },
    OPERATION_FAILS_THAT_NOBODY_WAITS_FOR(true) {
      @Override
      void live(Comm.Builder builder) throws InterruptedException {
        SCRIPT.hangOnce(Collective.Broadcast.class);
        builder.abortProcessOnError(true).build().broadcastAsync(X, 0, SOON);
        Thread.sleep(Duration.ofSeconds(60));
      }
    },
    OPERATION_FAILS_AND_THE_VARIABLE_IS_SET(true) {
      @Override
      void live(Comm.Builder builder) {
        SCRIPT.hangOnce(Collective.Broadcast.class);
        builder.build().broadcast(X, 0, SOON);
      }
    },
    SPLIT_FAILS(true) {
      @Override
      void live(Comm.Builder builder) {
        Store store = HashStore.create();
        Comm.Builder other = Fakes.builder("scripted").ranks(1, 2).store(store).name("red");
        Thread.ofPlatform().daemon().start(other::build); // and comes to nothing else
        builder
            .abortProcessOnError(true)
            .ranks(0, 2)
            .store(store)
            .initTimeout(Duration.ofSeconds(8))
            .build()
            .split(List.of(0, 1));
      }
    },
    OPERATION_FAILS_BUT_NOBODY_ASKED(false) {
      @Override
      void live(Comm.Builder builder) {
        SCRIPT.hangOnce(Collective.Broadcast.class);
        assertThatThrownBy(() -> builder.build().broadcast(X, 0, SOON))
            .isInstanceOf(CommTimeoutException.class);
      }
    },
    OPERATION_IS_REFUSED(false) {
      @Override
      void live(Comm.Builder builder) {
        try (Comm comm = builder.abortProcessOnError(true).build()) {
          assertThatThrownBy(() -> comm.broadcast(X, 7))
              .isInstanceOf(IllegalArgumentException.class);
        }
      }
    },
    ABORTED_ON_PURPOSE(false) {
      @Override
      void live(Comm.Builder builder) {
        SCRIPT.hangOnce(Collective.Broadcast.class);
        Comm comm = builder.abortProcessOnError(true).build();
        Work work = comm.broadcastAsync(X, 0);
        comm.abort("enough");
        assertThatThrownBy(work::await).isInstanceOf(CommAbortedException.class);
        assertThatThrownBy(() -> comm.broadcast(X, 0)).isInstanceOf(CommAbortedException.class);
      }
    },
    RECONFIGURED(false) {
      @Override
      void live(Comm.Builder builder) {
        SCRIPT.hangOnce(Collective.Broadcast.class);
        Comm comm = builder.abortProcessOnError(true).build();
        Work work = comm.broadcastAsync(X, 0);
        comm.reconfigure("next", List.of(comm.initHandle())).close();
        assertThatThrownBy(work::await).isInstanceOf(CommAbortedException.class);
      }
    };

    final boolean ends;

    Life(boolean ends) {
      this.ends = ends;
    }

    abstract void live(Comm.Builder builder) throws InterruptedException;
  }

  /** Lives one life, and says whether it was over before the process. */
  static final class Main {
    public static void main(String[] args) throws InterruptedException {
      Life life = Life.valueOf(args[0]);
      Map<String, String> environment =
          life == Life.OPERATION_FAILS_AND_THE_VARIABLE_IS_SET
              ? Map.of("JCOMMS_FLIGHT_RECORDER_DIR", args[1], "TORCHCOMM_ABORT_ON_ERROR", "1")
              : Map.of("JCOMMS_FLIGHT_RECORDER_DIR", args[1]);
      Backends.register("scripted", new FakeProvider(SCRIPT));
      life.live(Fakes.builder("scripted").environment(environment).name("red"));
      System.out.println("went on");
      System.exit(0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theProcessEndsIfItWasAskedTo(Life life, @TempDir Path folder) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                String.join(
                    ":",
                    "target/test-classes",
                    System.getProperty("jdk.module.path"),
                    System.getProperty("java.class.path")),
                Main.class.getName(),
                life.name(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      if (life.ends) {
        assertThat(process.exitValue()).as(said).isEqualTo(ABORTED);
        assertThat(said).contains("ending the process").doesNotContain("went on");
        assertThat(Files.exists(folder.resolve("flight-red-rank0.json"))).as(said).isTrue();
      } else {
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said).contains("went on").doesNotContain("ending the process");
      }
    } finally {
      process.destroyForcibly();
    }
  }
}
