package dev.jcomms.jccl.internal.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.CommMismatchException;
import dev.jcomms.jccl.internal.posix.Proc;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Aside;
import dev.jcomms.jccl.internal.transport.Peer;
import dev.jcomms.jccl.internal.transport.Roster;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A neighbour is a process that sleeps; it is stopped, goes on, and is killed. */
final class LifelinesTest {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final Duration LIMIT = Duration.ofMillis(300);

  private Process process;
  private Peer neighbour;

  @BeforeEach
  void start() throws Exception {
    process = new ProcessBuilder("sleep", "600").start();
    String host = Peer.self().host();
    neighbour = new Peer(host, "a neighbour", process.pid(), Proc.startTicks(process.pid()));
  }

  @AfterEach
  void end() {
    process.destroyForcibly();
  }

  private void signal(String name, Proc.State after) throws Exception {
    String pid = String.valueOf(process.pid());
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (Proc.state(neighbour.pid(), neighbour.startTicks()) != after) {
      assertThat(System.nanoTime()).as("when it is %s", after).isLessThan(end);
      Thread.onSpinWait();
    }
  }

  /** This rank's end of a communicator with the neighbour. */
  private Lifelines communicator(Alarm alarm, Duration limit) {
    return new Lifelines(new Roster(0, List.of(Peer.self(), neighbour), null), alarm, limit);
  }

  private static void lookUntilLost(Lifelines lifelines, Alarm alarm) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!alarm.isRaised()) {
      assertThat(System.nanoTime()).as("when the neighbour is lost").isLessThan(end);
      lifelines.run();
    }
    assertThat(alarm.failure().missingRanks()).isEqualTo(Set.of(1));
  }

  @Test
  void aStopThatOneCommunicatorHasSeenIsKnownToTheNextAtItsFirstLook() throws Exception {
    signal("STOP", Proc.State.STOPPED);
    Alarm first = new Alarm(0);
    lookUntilLost(communicator(first, LIMIT), first);

    Alarm second = new Alarm(0);
    communicator(second, LIMIT).run();
    assertThat(second.isRaised()).isTrue();
    assertThat(second.failure()).hasMessageContaining("has been stopped for");
  }

  @Test
  void whoGoesOnUnseenAndStopsAgainIsJudgedByTheSecondStopAlone() throws Exception {
    signal("STOP", Proc.State.STOPPED);
    assertThat(Stops.nanos(neighbour, 1_000)).isZero();
    assertThat(Stops.nanos(neighbour, 5_000)).isEqualTo(4_000);
    signal("CONT", Proc.State.ALIVE);
    signal("STOP", Proc.State.STOPPED);
    assertThat(Stops.nanos(neighbour, 9_000)).isZero();
    assertThat(Stops.nanos(neighbour, 9_500)).isEqualTo(500);
  }

  @Test
  void aProcessThatHasEndedIsLostAtTheFirstLook() throws Exception {
    process.destroyForcibly();
    assertThat(process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    Alarm alarm = new Alarm(0);
    communicator(alarm, DEADLINE).run();
    assertThat(alarm.isRaised()).isTrue();
    assertThat(alarm.failure().missingRanks()).isEqualTo(Set.of(1));
  }

  /** All are seen at one look; one that says that it leaves is not lost. */
  @Test
  void allThatHaveEndedWithoutAWordAreLostAtOnce() throws Exception {
    List<Process> processes = new ArrayList<>();
    List<Peer> peers = new ArrayList<>(List.of(Peer.self()));
    for (int i = 0; i < 3; i++) {
      Process sleeper = new ProcessBuilder("sleep", "600").start();
      processes.add(sleeper);
      String host = Peer.self().host();
      long ticks = Proc.startTicks(sleeper.pid());
      peers.add(new Peer(host, "neighbour " + i, sleeper.pid(), ticks));
    }
    List<Integer> names = List.of(0, 1, 2, 3);
    MemorySegment memory = Arena.ofAuto().allocate(Floor.bytes(4, 0), 4096);
    Alarm alarm = new Alarm(0);
    Lifelines lifelines = new Lifelines(new Roster(0, peers, null), alarm, DEADLINE);
    lifelines.heed(new Floor(memory, 0, names, 0, alarm, new Aside(), lifelines));
    new Floor(memory, 2, names, 0, new Alarm(2), new Aside(), () -> {}).standings().leave();

    processes.forEach(Process::destroyForcibly);
    for (Process sleeper : processes) {
      assertThat(sleeper.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
    lifelines.run();
    assertThat(alarm.failure().missingRanks()).containsExactly(1, 3);
    assertThat(alarm.failure())
        .hasMessageContaining("lost ranks 1, 3")
        .hasMessageContaining("rank 1 is lost: its process " + processes.get(0).pid())
        .hasMessageContaining("rank 3 is lost: its process " + processes.get(2).pid());
  }

  @Test
  void whoHasToldOfAFailureAndThenEndsIsNotTheOneThatIsLost() throws Exception {
    MemorySegment memory = Arena.ofAuto().allocate(Floor.bytes(2, 0), 4096);
    Alarm alarm = new Alarm(0);
    Lifelines lifelines = communicator(alarm, DEADLINE);
    lifelines.heed(new Floor(memory, 0, List.of(0, 1), 0, alarm, new Aside(), lifelines));
    Alarm neighbours = new Alarm(0);
    new Floor(memory, 1, List.of(0, 1), 0, neighbours, new Aside(), () -> {});

    neighbours.raise(new CommMismatchException("ranks disagree", Set.of(1)));
    process.destroyForcibly();
    assertThat(process.waitFor(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    lifelines.run();
    assertThat(alarm.failure()).isInstanceOf(CommMismatchException.class);
  }
}
