package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.Collective.AllReduce;
import dev.jcomms.Collective.Broadcast;
import dev.jcomms.fake.FakeScript;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.Promise;
import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hooks, the flight recorder, JFR and the NaN check. */
class ObservationTest {
  private final FakeScript script = new FakeScript();
  private final Tensor x = Tensor.ones(Shape.of(4));
  private final List<String> told = new ArrayList<>();

  private Hook telling(String name) {
    return new Hook() {
      @Override
      public void before(Call call) {
        told.add(name + " before " + call);
      }

      @Override
      public void after(Call call, Optional<RuntimeException> failure) {
        told.add(
            name
                + " after "
                + call
                + failure.map(f -> " " + f.getClass().getSimpleName()).orElse(""));
      }

      @Override
      public void replay(Comm comm, CommGraph graph) {
        told.add(name + " replay of " + graph.operations().size());
      }
    };
  }

  @Test
  void whatEndedAtOnceIsRecordedSoAlsoIfAHookLooks() {
    Backend prompt =
        new Backend() {
          @Override
          public Set<Class<? extends Collective>> supports() {
            return Set.of(Collective.AllReduce.class);
          }

          @Override
          public Work submit(Collective op, OpOptions options) {
            return Promise.endedAtOnce();
          }

          @Override
          public Work perform(Collective op, OpOptions options, Turn turn) {
            return Promise.endedAtOnce();
          }

          @Override
          public void close() {}
        };
    try (Comm comm = Fakes.builder(Fakes.register(prompt)).build()) {
      comm.addHook(telling("a"));
      comm.allReduce(x, ReduceOp.SUM);
      comm.allReduceAsync(x, ReduceOp.SUM).await();
      assertThat(comm.flightRecorder().entries())
          .extracting(FlightRecorder.Entry::state)
          .containsExactly(FlightRecorder.State.COMPLETED, FlightRecorder.State.COMPLETED);
    }
  }

  @Test
  void aHookThatWaitsForWhatComesAfterItsOwnOperationIsRefused() {
    try (Comm comm = Fakes.alone(script)) {
      comm.addHook(
          new Hook() {
            @Override
            public void before(Call call) {
              if (call.op() instanceof AllReduce) {
                comm.barrierAsync().await();
              }
            }
          });
      assertThatThrownBy(() -> comm.allReduce(x, ReduceOp.SUM))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("inside another one");
      comm.barrier();
    }
  }

  @Test
  void hooksAreCalledInOrderAndNotAfterTheirRegistrationIsClosed() {
    try (Comm comm = Fakes.alone(script)) {
      Registration first = comm.addHook(telling("a"));
      comm.addHook(telling("b"));
      comm.allReduce(x, ReduceOp.SUM);
      first.close();
      first.close();
      comm.barrier();
      assertThat(told)
          .containsExactly(
              "a before all_reduce #0 on comm 'main'",
              "b before all_reduce #0 on comm 'main'",
              "a after all_reduce #0 on comm 'main'",
              "b after all_reduce #0 on comm 'main'",
              "b before barrier #1 on comm 'main'",
              "b after barrier #1 on comm 'main'");
    }
  }

  @Test
  void afterIsCalledWhenTheOperationFails() {
    script.failOnce(AllReduce.class, () -> new IllegalStateException("no"));
    try (Comm comm = Fakes.alone(script)) {
      comm.addHook(telling("a"));
      assertThatThrownBy(() -> comm.allReduce(x, ReduceOp.SUM))
          .isInstanceOf(BackendException.class);
      assertThat(told.getLast()).isEqualTo("a after all_reduce #0 on comm 'main' BackendException");
    }
  }

  @Test
  void whatComesToItsTurnAfterAFailureIsSeenToo() throws Exception {
    Occupied backend = new Occupied();
    try (Comm comm = backend.open()) {
      comm.addHook(telling("a"));
      Work running = comm.allReduceAsync(x, ReduceOp.SUM);
      Work queued = comm.allReduceAsync(x, ReduceOp.SUM);
      backend.awaitInside();
      comm.abort("enough");
      for (Work work : List.of(running, queued)) {
        assertThatThrownBy(work::await).isInstanceOf(CommAbortedException.class);
      }
      assertThatThrownBy(() -> comm.allReduce(x, ReduceOp.SUM))
          .isInstanceOf(CommAbortedException.class);
    }
    assertThat(told)
        .containsExactly(
            "a before all_reduce #0 on comm 'main'",
            "a after all_reduce #0 on comm 'main' CommAbortedException",
            "a before all_reduce #1 on comm 'main'",
            "a after all_reduce #1 on comm 'main' CommAbortedException",
            "a before all_reduce #2 on comm 'main'",
            "a after all_reduce #2 on comm 'main' CommAbortedException");
  }

  @Test
  void aHookMayRefuseAndThoseAlreadyToldLearnIt() {
    try (Comm comm = Fakes.alone(script)) {
      comm.addHook(telling("a"));
      comm.addHook(
          new Hook() {
            @Override
            public void before(Call call) {
              throw new SecurityException("not this one");
            }
          });
      comm.addHook(telling("c"));
      assertThatThrownBy(() -> comm.allReduce(x, ReduceOp.SUM))
          .isInstanceOf(SecurityException.class)
          .hasMessage("not this one");
      assertThat(told)
          .containsExactly(
              "a before all_reduce #0 on comm 'main'",
              "a after all_reduce #0 on comm 'main' SecurityException");
      assertThat(script.submitted()).isEmpty();
    }
  }

  @Test
  void aHookThatFailsAfterwardsHarmsNobody() {
    try (Comm comm = Fakes.alone(script)) {
      comm.addHook(
          new Hook() {
            @Override
            public void after(Call call, Optional<RuntimeException> failure) {
              throw new IllegalStateException("clumsy");
            }
          });
      comm.addHook(telling("b"));
      comm.allReduce(x, ReduceOp.SUM);
      assertThat(told).hasSize(2);
    }
  }

  @Test
  void theFlightRecorderKeepsTheLastOperationsWithTheirFate() {
    script.failOnce(Broadcast.class, () -> new IllegalStateException("no"));
    try (Comm comm =
        Fakes.builder(Fakes.register(script))
            .environment(Map.of("JCOMMS_FLIGHT_RECORDER_SIZE", "3"))
            .build()) {
      for (int i = 0; i < 4; i++) {
        comm.allReduce(Tensor.zeros(DType.I64, Shape.of(i)), ReduceOp.SUM);
      }
      assertThatThrownBy(() -> comm.broadcast(x, 0)).isInstanceOf(BackendException.class);
      List<FlightRecorder.Entry> entries = comm.flightRecorder().entries();
      assertThat(entries).extracting(FlightRecorder.Entry::number).containsExactly(2L, 3L, 4L);
      assertThat(entries).extracting(FlightRecorder.Entry::bytes).containsExactly(16L, 24L, 16L);
      assertThat(entries.get(0).state()).isEqualTo(FlightRecorder.State.COMPLETED);
      assertThat(entries.get(0).dtype()).contains(DType.I64);
      assertThat(entries.get(2).state()).isEqualTo(FlightRecorder.State.FAILED);
      assertThat(entries.get(2).failure().orElseThrow()).contains("BackendException");
      assertThat(entries.get(2).ended().orElseThrow()).isAfterOrEqualTo(entries.get(2).created());
      comm.flightRecorder().reset();
      assertThat(comm.flightRecorder().entries()).isEmpty();
    }
  }

  @Test
  void aTimeoutDumpsTheRecordForItsOwnerAlone(@TempDir Path folder) throws Exception {
    script.hangOnce(Broadcast.class);
    try (Comm comm =
        Fakes.builder(Fakes.register(script))
            .environment(Map.of("JCOMMS_FLIGHT_RECORDER_DIR", folder.toString()))
            .name("red team")
            .build()) {
      assertThatThrownBy(() -> comm.broadcast(x, 0, OpOptions.timeout(Duration.ofMillis(20))))
          .isInstanceOf(CommTimeoutException.class);
      Path file = folder.resolve("flight-red_team-rank0.json");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      Map<?, ?> dump = (Map<?, ?>) Codecs.JSON.decode(Files.readAllBytes(file));
      assertThat(dump.get("comm")).isEqualTo("red team");
      Map<?, ?> entry = (Map<?, ?>) ((List<?>) dump.get("entries")).getFirst();
      assertThat(entry.get("op")).isEqualTo("broadcast");
      assertThat(entry.get("state")).isEqualTo("failed");
      assertThat(entry.get("bytes")).isEqualTo(16L);
    }
  }

  /** It leaves the communicator as it was, and yet is worth a look. */
  @Test
  void aMonitoredBarrierThatTimesOutDumpsTheRecord(@TempDir Path folder) throws Exception {
    String backend = Fakes.register(script);
    Store store = HashStore.create();
    Comm.Builder other = Fakes.builder(backend).name("red").ranks(1, 2).store(store);
    Thread.ofPlatform().daemon().start(other::build); // and comes to no barrier
    try (Comm comm =
        Fakes.builder(backend)
            .environment(Map.of("JCOMMS_FLIGHT_RECORDER_DIR", folder.toString()))
            .name("red")
            .ranks(0, 2)
            .store(store)
            .build()) {
      assertThatThrownBy(() -> comm.monitoredBarrier(Duration.ofMillis(20)))
          .isInstanceOf(CommTimeoutException.class);
      assertThat(Files.readString(folder.resolve("flight-red-rank0.json")))
          .contains("monitored_barrier")
          .contains("failed");
      comm.barrier();
    }
  }

  @Test
  void nanIsRefusedAtTheRankThatMadeIt() {
    Tensor bad = Tensor.of(1f, 2f, Float.NaN);
    try (Comm comm =
        Fakes.builder(Fakes.register(script))
            .environment(Map.of("JCOMMS_NAN_CHECK", "1"))
            .build()) {
      assertThatThrownBy(() -> comm.allReduce(bad, ReduceOp.SUM))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("all_reduce #0 on comm 'main' (rank 0): input 0 is NaN at element 2");
      comm.allReduce(Tensor.of(1, 2), ReduceOp.SUM);
      comm.allReduce(x, ReduceOp.SUM);
      assertThat(script.submitted()).hasSize(2);
    }
  }

  @Test
  void everyOperationIsAJfrEvent(@TempDir Path folder) throws Exception {
    script.failOnce(Broadcast.class, () -> new PeerLostException(Set.of(0), "gone"));
    Path file = folder.resolve("events.jfr");
    try (Recording recording = new Recording();
        Comm comm = Fakes.builder(Fakes.register(script)).name("jfr-test").build()) {
      recording.enable("dev.jcomms.Collective");
      recording.start();
      comm.allReduce(x, ReduceOp.SUM);
      assertThatThrownBy(() -> comm.broadcast(x, 0)).isInstanceOf(PeerLostException.class);
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events =
        RecordingFile.readAllEvents(file).stream()
            .filter(e -> e.getEventType().getName().equals("dev.jcomms.Collective"))
            .filter(e -> "jfr-test".equals(e.getString("comm")))
            .toList();
    assertThat(events)
        .extracting(e -> e.getString("op"))
        .containsExactly("all_reduce", "broadcast");
    assertThat(events)
        .extracting(e -> e.getString("outcome"))
        .containsExactly("completed", "PeerLostException");
    assertThat(events.getFirst().getLong("bytes")).isEqualTo(16);
    assertThat(events.getFirst().getString("dtype")).isEqualTo("f32");
    assertThat(events.getFirst().getDuration()).isPositive();
  }

  @Test
  void aCaptureRecordsInsteadOfRunningAndReplaysAnyNumberOfTimes() {
    try (Comm comm = Fakes.alone(script)) {
      comm.addHook(telling("a"));
      CommGraph graph =
          comm.capture(
              () -> {
                comm.allReduce(x, ReduceOp.SUM);
                Work work = comm.broadcastAsync(x, 0);
                assertThatThrownBy(work::await)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("await inside a capture");
              });
      assertThat(script.submitted()).isEmpty();
      assertThat(graph.operations())
          .extracting(Collective::opName)
          .containsExactly("all_reduce", "broadcast");
      graph.replay();
      graph.replayAsync().await();
      assertThat(script.submitted()).hasSize(4);
      assertThat(told).contains("a replay of 2");
      graph.close();
      assertThatThrownBy(graph::replay)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("closed");
      assertThatThrownBy(() -> comm.capture(() -> comm.capture(() -> {})))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("capture inside a capture");
    }
  }

  @Test
  void badArgumentsAreToldWhenRecordedNotWhenReplayed() {
    try (Comm comm = Fakes.alone(script)) {
      assertThatThrownBy(() -> comm.capture(() -> comm.broadcast(x, 5)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("root=5");
      comm.allReduce(x, ReduceOp.SUM);
      assertThat(script.submitted()).hasSize(1);
    }
  }
}
