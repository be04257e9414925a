package dev.jcomms.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Renames last as long as the process, so each test that renames has a slot of its own. */
final class DeviceTest {
  @ParameterizedTest
  @CsvSource({
    "cpu, cpu, 0, cpu",
    "cpu:0, cpu, 0, cpu",
    "cuda, cuda, 0, cuda:0",
    "cuda:7, cuda, 7, cuda:7",
    "privateuse1:12, privateuse1, 12, privateuse1:12",
  })
  void textBecomesADeviceAndBack(String text, String type, int index, String printed) {
    Device device = Device.of(text);
    assertThat(device.type()).isEqualTo(type);
    assertThat(device.index()).isEqualTo(index);
    assertThat(device).hasToString(printed).isEqualTo(Device.parse(printed));
    assertThat(device).hasSameHashCodeAs(Device.of(type, index));
  }

  @Test
  void devicesDifferByTypeAndByIndex() {
    assertThat(Device.of("cuda:0")).isNotEqualTo(Device.of("cuda:1")).isNotEqualTo(Device.CPU);
    assertThat(Device.of("privateuse1")).isNotEqualTo(Device.of("privateuse2"));
    assertThat(Device.of("cpu")).isSameAs(Device.CPU);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cuda:",
        "cuda:-1",
        "cuda:01",
        "cuda:+1",
        "cuda:1:2",
        "cuda: 1",
        "cuda:9999999999"
      })
  void anIndexIsAPlainNumber(String text) {
    assertThatThrownBy(() -> Device.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("device '" + text + "': index '")
        .hasMessageEndingWith("is not a plain decimal number");
  }

  @Test
  void unknownTypesAndCpusBeyondTheFirstAreRefused() {
    assertThatThrownBy(() -> Device.of("tpu:0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("device 'tpu:0': no device type 'tpu'; available: [cpu, cuda, ");
    assertThatThrownBy(() -> Device.of("cpu:1"))
        .hasMessage("device 'cpu:1': the cpu has only index 0");
    assertThatThrownBy(() -> Device.of("cuda", -1))
        .hasMessage("device index=-1 of 'cuda' is negative");
  }

  @Test
  void aRenamedSlotParsesAndPrintsItsNewName() {
    Device before = Device.of("privateuse3:1");
    Device.rename("privateuse3", "tiny");
    Device.rename("privateuse3", "tiny"); // the same again is no change
    assertThat(Device.of("tiny:1"))
        .isEqualTo(before)
        .hasSameHashCodeAs(before)
        .hasToString("tiny:1");
    assertThat(before).hasToString("tiny:1");
    assertThat(before.type()).isEqualTo("privateuse3");
    assertThat(Device.of("privateuse3:1")).isEqualTo(before);
    assertThatThrownBy(() -> Device.rename("privateuse3", "small"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("device slot 'privateuse3' is already named 'tiny'; asked for 'small'");
    assertThatThrownBy(() -> Device.rename("privateuse1", "tiny"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("device name 'tiny' is taken; in use: [cpu, cuda, privateuse1, ");
  }

  @Test
  void onlySlotsAreRenamedAndOnlyToNewWellFormedNames() {
    for (String slot : new String[] {"cpu", "cuda", "privateuse4", "tpu"}) {
      assertThatThrownBy(() -> Device.rename(slot, "mine"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "device slot '"
                  + slot
                  + "' cannot be renamed; slots: [privateuse1, privateuse2, privateuse3]");
    }
    for (String name : new String[] {"cuda", "cpu", "privateuse2"}) {
      assertThatThrownBy(() -> Device.rename("privateuse1", name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("device name '" + name + "' is taken");
    }
    for (String name : new String[] {"", "Tiny", "a:b", "1st", "a b"}) {
      assertThatThrownBy(() -> Device.rename("privateuse1", name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("device name '" + name + "' does not match");
    }
    assertThat(Device.of("privateuse1")).hasToString("privateuse1:0");
  }

  @Test
  void ofManyThreadsThatRenameASlotOneWins() {
    int threads = 16;
    CyclicBarrier start = new CyclicBarrier(threads);
    AtomicInteger won = new AtomicInteger();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < threads; i++) {
        String name = "racer" + i;
        pool.submit(
            () -> {
              start.await(10, TimeUnit.SECONDS);
              Device.rename("privateuse2", name);
              return won.incrementAndGet();
            });
      }
    }
    assertThat(won).hasValue(1);
    assertThat(Device.of("privateuse2").toString()).matches("racer\\d+:0");
  }
}
