package dev.jcomms.internal.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class StoreStateTest {
  private final Budget budget = new Budget("bytes", 10_000);
  private final StoreState state = new StoreState(budget, 100);

  private static final class Sleeper extends Waiter {
    int woken;

    @Override
    protected void wake() {
      woken++;
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(US_ASCII);
  }

  @Test
  void aWaiterIsWokenOnceByItsLastKey() {
    Sleeper sleeper = new Sleeper();
    assertThat(state.await(sleeper, List.of("a", "b", "b"))).isFalse();
    state.set("b", bytes("1"));
    state.set("b", bytes("2"));
    assertThat(sleeper.woken).isZero();
    state.set("a", bytes("1"));
    state.set("a", bytes("2"));
    assertThat(sleeper.woken).isEqualTo(1);
  }

  @Test
  void aNewWaitForgetsTheOld() {
    Sleeper sleeper = new Sleeper();
    state.await(sleeper, List.of("a"));
    state.await(sleeper, List.of("b"));
    state.set("a", bytes(""));
    assertThat(sleeper.woken).isZero();
    state.set("b", bytes(""));
    assertThat(sleeper.woken).isEqualTo(1);
  }

  @Test
  void whoWaitsForAQueueAndAKeyNeedsBoth() {
    Sleeper sleeper = new Sleeper();
    state.push("q", bytes("1"));
    state.await(sleeper, List.of("q", "k"));
    state.set("k", bytes(""));
    assertThat(sleeper.woken).isEqualTo(1);
    state.pop(sleeper, "q");
    state.delete("k");
    state.await(sleeper, List.of("q", "k"));
    state.push("q", bytes("1"));
    assertThat(sleeper.woken).isEqualTo(1);
    state.set("k", bytes(""));
    assertThat(sleeper.woken).isEqualTo(2);
  }

  @Test
  void aPushIsNoValue() {
    Sleeper reader = new Sleeper();
    Sleeper taker = new Sleeper();
    state.awaitValues(reader, List.of("q"));
    state.awaitQueue(taker, "q");
    state.push("q", bytes("1"));
    assertThat(reader.woken).isZero();
    assertThat(taker.woken).isEqualTo(1);
    state.set("q", bytes("v"));
    assertThat(reader.woken).isEqualTo(1);
  }

  @Test
  void aPromiseThatIsGivenUpGoesToTheNext() {
    Sleeper first = new Sleeper();
    Sleeper second = new Sleeper();
    state.awaitQueue(first, "q");
    state.awaitQueue(second, "q");
    state.push("q", bytes("1"));
    assertThat(first.woken).isEqualTo(1);
    assertThat(second.woken).isZero();
    state.cancel(first);
    assertThat(second.woken).isEqualTo(1);
    assertThat(state.pop(second, "q")).isEqualTo(bytes("1"));
    state.cancel(second);
    assertThat(first.woken).isEqualTo(1);
  }

  @Test
  void whatIsRefusedChangesNothing() {
    Sleeper sleeper = new Sleeper();
    state.set("n", bytes("x"));
    long before = budget.used();
    state.await(sleeper, List.of("k"));
    assertThatThrownBy(() -> state.set("k", new byte[10_000])).isInstanceOf(RefusedException.class);
    assertThatThrownBy(() -> state.push("k", new byte[10_000]))
        .isInstanceOf(RefusedException.class);
    assertThatThrownBy(() -> state.append("n", new byte[100])).isInstanceOf(RefusedException.class);
    assertThatThrownBy(() -> state.add("n", 1)).isInstanceOf(RefusedException.class);
    assertThatThrownBy(() -> state.barrier(sleeper, "n", 1)).isInstanceOf(RefusedException.class);
    assertThat(sleeper.woken).isZero();
    assertThat(budget.used()).isEqualTo(before);
    assertThat(state.keys()).containsExactly("n");
    assertThat(state.length("k")).isZero();
  }
}
