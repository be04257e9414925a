package dev.jcomms.internal.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Any bytes are records up to some point, and nothing after that point is believed. */
final class FileRecordsFuzzTest {
  @FuzzTest(maxDuration = "60s")
  void anyBytes(byte[] bytes) {
    Map<String, byte[]> values = new HashMap<>();
    int complete = FileRecords.replay(bytes, values);
    assertThat(complete).isBetween(0, bytes.length);
    Map<String, byte[]> again = new HashMap<>();
    byte[] first = Arrays.copyOf(bytes, complete);
    assertThat(FileRecords.replay(first, again)).isEqualTo(complete);
    assertThat(again.keySet()).isEqualTo(values.keySet());
    byte[] record = FileRecords.set("/k", bytes);
    assertThat(FileRecords.replay(record, again)).isEqualTo(record.length);
    assertThat(again.get("/k")).isEqualTo(bytes);
  }
}
