package dev.jcomms.jccl.internal.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AnnouncerTest {
  private final List<String> told = Collections.synchronizedList(new ArrayList<>());

  @Test
  void eachHalfIsToldOnce() {
    Announcer announcer = announcer(() -> {});
    announcer.come(1);
    announcer.come(1);
    announcer.come(3);
    announcer.come(2);
    assertThat(told).containsExactly("half", "half", "half");
  }

  @Test
  void aFenceThatWasGivenUpIsPassedAtTheEnd() {
    Announcer announcer = announcer(() -> {});
    announcer.come(3);
    announcer.end();
    announcer.end();
    announcer.come(5);
    assertThat(told).containsExactly("half", "half", "half", "half", "end");
  }

  /** The others may come back here while they are told. */
  @Test
  void whatIsWantedWhileTellingIsToldAfterIt() {
    Announcer[] announcer = new Announcer[1];
    announcer[0] =
        announcer(
            () -> {
              announcer[0].end();
              told.add("told");
            });
    announcer[0].come(1);
    assertThat(told).containsExactly("half", "told", "half", "told", "end");
  }

  @Test
  void theEndDoesNotOvertakeAHalfThatAnotherThreadTells() throws InterruptedException {
    CountDownLatch telling = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Announcer announcer =
        announcer(
            () -> {
              telling.countDown();
              await(goOn);
              told.add("told");
            });
    Thread other = Thread.ofPlatform().start(() -> announcer.come(2));
    await(telling);
    announcer.end();
    goOn.countDown();
    assertThat(other.join(Duration.ofSeconds(30))).isTrue();
    assertThat(told).containsExactly("half", "told", "half", "told", "end");
  }

  @Test
  void whatCannotBeToldDoesNotStopTheRest() {
    Announcer announcer =
        announcer(
            () -> {
              throw new IllegalStateException("not now");
            });
    assertThatThrownBy(() -> announcer.come(1)).hasMessage("not now");
    assertThatThrownBy(() -> announcer.come(2)).hasMessage("not now");
    announcer.end();
    assertThat(told).containsExactly("half", "half", "end");
  }

  private Announcer announcer(Runnable half) {
    return new Announcer(
        () -> {
          told.add("half");
          half.run();
        },
        () -> told.add("end"));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
