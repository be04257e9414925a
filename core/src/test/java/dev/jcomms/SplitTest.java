package dev.jcomms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jcomms.fake.FakeScript;
import dev.jcomms.store.HashStore;
import dev.jcomms.store.Store;
import dev.jcomms.store.StoreTimeoutException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Splits, reconfiguration and monitored barriers: what ranks agree on through the store. */
class SplitTest {
  private static final World FOUR = World.of(4).backend("fake").timeout(Duration.ofSeconds(20));

  @Test
  void theNewRankIsThePositionInTheList() {
    FOUR.run(
        comm -> {
          List<Integer> group = comm.rank() % 2 == 0 ? List.of(2, 0) : List.of(1, 3);
          try (Comm part = comm.split(group).orElseThrow()) {
            assertThat(part.rank()).isEqualTo(group.indexOf(comm.rank()));
            assertThat(part.size()).isEqualTo(2);
            assertThat(part.ranks()).isEqualTo(group);
            part.barrier();
          }
        });
  }

  @Test
  void ranksAreMappedThroughEverySplit() {
    FOUR.run(
        comm -> {
          Optional<Comm> last = comm.split(comm.rank() == 0 ? List.of() : List.of(3, 2, 1));
          assertThat(last.isPresent()).isEqualTo(comm.rank() != 0);
          if (last.isPresent()) {
            try (Comm three = last.get();
                Comm one = three.split(List.of(three.rank())).orElseThrow()) {
              assertThat(one.ranks()).containsExactly(comm.rank());
              assertThat(one.options().timeout()).isEqualTo(comm.options().timeout());
            }
          }
        });
  }

  /** One rank stands still when it has waited for a slice, while the other splits and goes on. */
  @Test
  void aRankThatHasGoneOnMeanwhileDoesNotDisagree() throws Exception {
    HashStore store = HashStore.create();
    String backend = Fakes.register(new FakeScript());
    Store slow =
        (Store)
            Proxy.newProxyInstance(
                Store.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (_, method, args) -> {
                  try {
                    return method.invoke(store, args);
                  } catch (InvocationTargetException e) {
                    if (e.getCause() instanceof StoreTimeoutException) {
                      Thread.sleep(400);
                    }
                    throw e.getCause();
                  }
                });
    try (var threads = Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      List<Future<?>> ranks = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        int r = rank;
        Store mine = rank == 0 ? slow : store;
        ranks.add(
            threads.submit(
                () -> {
                  try (Comm comm = Fakes.builder(backend).ranks(r, 2).store(mine).build()) {
                    for (int i = 0; i < 2; i++) {
                      Thread.sleep(r * 100);
                      comm.split(-1, 0);
                      Thread.sleep(r * 100);
                      comm.monitoredBarrier(Duration.ofSeconds(20));
                    }
                    return null;
                  }
                }));
      }
      for (Future<?> rank : ranks) {
        rank.get(60, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void whatRanksSaidInASplitIsNotKeptForGood() {
    HashStore store = HashStore.create();
    String backend = Fakes.register(new FakeScript());
    List<Callable<Long>> ranks =
        IntStream.range(0, 2)
            .<Callable<Long>>mapToObj(
                rank ->
                    () -> {
                      try (Comm comm = Fakes.builder(backend).ranks(rank, 2).store(store).build()) {
                        List<Long> keys = new ArrayList<>();
                        for (int i = 0; i < 20; i++) {
                          comm.split(List.of(0, 1)).orElseThrow().close();
                          comm.monitoredBarrier(Duration.ofSeconds(20));
                          keys.add(store.numKeys());
                          comm.monitoredBarrier(Duration.ofSeconds(20));
                        }
                        return keys.getLast() - keys.get(2);
                      }
                    })
            .toList();
    try (var threads = Executors.newCachedThreadPool()) {
      for (Future<Long> more : threads.invokeAll(ranks, 40, TimeUnit.SECONDS)) {
        // A few of the barrier's may come and go.
        assertThat(more.get()).isLessThan(5);
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aPartialSplitIsFollowedByAFullOne() {
    FOUR.run(
        comm -> {
          comm.split(comm.rank() < 2 ? List.of(0, 1) : List.of()).ifPresent(Comm::close);
          try (Comm all = comm.split(List.of(3, 2, 1, 0)).orElseThrow()) {
            assertThat(all.rank()).isEqualTo(3 - comm.rank());
          }
        });
  }

  @Test
  void colorsMakeGroupsAndKeysOrderThem() {
    FOUR.run(
        comm -> {
          try (Comm part = comm.split(comm.rank() / 2, -comm.rank()).orElseThrow()) {
            assertThat(part.ranks()).isEqualTo(comm.rank() < 2 ? List.of(1, 0) : List.of(3, 2));
          }
          assertThat(comm.split(-1, 0)).isEmpty();
        });
  }

  @Test
  void aBadListIsRefusedOnEveryRankAlike() {
    FOUR.run(
        comm -> {
          refused(
              comm,
              comm.rank() == 2 ? List.of(0, 1) : List.of(comm.rank()),
              "split: rank 2 gave [0, 1], which lacks that rank");
          refused(
              comm,
              comm.rank() == 1 ? List.of(1, 1) : List.of(),
              "split: rank 1 gave [1, 1], which has a rank twice");
          refused(
              comm,
              comm.rank() == 3 ? List.of(3, 4) : List.of(),
              "split: rank 3 gave [3, 4]; 4 is not a rank of comm 'main' (size 4)");
          refused(
              comm,
              comm.rank() == 0 ? List.of(0, 1) : List.of(comm.rank()),
              "split: rank 0 gave [0, 1], rank 1 gave [1]");
          assertThat(comm.split(List.of(0, 1, 2, 3))).isPresent();
        });
  }

  @Test
  void aBadColorIsRefusedOnEveryRankAndTheNextSplitIsRight() {
    FOUR.run(
        comm -> {
          assertThatThrownBy(() -> comm.split(comm.rank() == 1 ? -2 : 0, 0))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessage("split: rank 1 gave color=-2; -1 stands for no part");
          try (Comm all = comm.split(7, 0).orElseThrow()) {
            assertThat(all.size()).isEqualTo(4);
          }
        });
  }

  @Test
  void anAbortEndsASplitAndAMonitoredBarrierThatOthersNeverReach() {
    World.of(2)
        .backend("fake")
        .timeout(Duration.ofSeconds(50))
        .run(
            comm -> {
              if (comm.rank() == 0) {
                Thread aborter = Thread.ofVirtual().start(() -> comm.abort("changed my mind"));
                assertThatThrownBy(() -> comm.monitoredBarrier(Duration.ofSeconds(50)))
                    .isInstanceOf(CommAbortedException.class);
                aborter.join();
                assertThatThrownBy(() -> comm.split(List.of(0, 1)))
                    .isInstanceOf(CommAbortedException.class);
              }
            });
  }

  private static void refused(Comm comm, List<Integer> list, String message) {
    assertThatThrownBy(() -> comm.split(list))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void aMonitoredBarrierNamesWhoDidNotCome() {
    FOUR.run(
        comm -> {
          comm.monitoredBarrier(Duration.ofSeconds(20));
          if (comm.rank() != 2) {
            assertThatThrownBy(() -> comm.monitoredBarrier(Duration.ofSeconds(5)))
                .isInstanceOfSatisfying(
                    CommTimeoutException.class,
                    e -> {
                      assertThat(e.missingRanks()).containsExactly(2);
                      assertThat(e).hasMessageContaining("monitored_barrier #1 on comm 'main'");
                    });
            assertThat(comm.isAborted()).isFalse();
          }
        });
  }

  @Test
  void survivorsReconfigureInTheOrderOfTheList() {
    ConcurrentHashMap<Integer, InitHandle> handles = new ConcurrentHashMap<>();
    String uuid = UUID.randomUUID().toString();
    World.of(4)
        .backend("fake")
        .timeout(Duration.ofSeconds(20))
        .run(
            comm -> {
              handles.put(comm.rank(), comm.initHandle());
              assertThat(comm.initHandle()).isEqualTo(comm.initHandle());
              comm.monitoredBarrier(Duration.ofSeconds(20));
              if (comm.rank() == 1) {
                return; // the one that is lost
              }
              List<InitHandle> order = List.of(handles.get(3), handles.get(0), handles.get(2));
              try (Comm next = comm.reconfigure(uuid, order)) {
                assertThat(next.size()).isEqualTo(3);
                assertThat(next.rank()).isEqualTo(List.of(3, 0, 2).indexOf(comm.rank()));
                next.monitoredBarrier(Duration.ofSeconds(20));
                assertThatThrownBy(comm::barrier).isInstanceOf(IllegalStateException.class);
                assertThat(next.initHandle()).isEqualTo(handles.get(comm.rank()));
              }
            });
  }

  @Test
  void aReconfigurationWithoutThisRankIsRefused() {
    World.of(2)
        .backend("fake")
        .run(
            comm -> {
              assertThatThrownBy(() -> comm.reconfigure("u", List.of()))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageContaining("lack this rank's own");
              comm.barrier();
            });
  }
}
