package dev.jcomms.jccl.reliability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What this process has of everything that can leak. */
record Holdings(long descriptors, long threads, long mappings, long residentKib) {
  static Holdings now() throws IOException {
    System.gc();
    return new Holdings(
        entries("/proc/self/fd"),
        entries("/proc/self/task"),
        Files.readAllLines(Path.of("/proc/self/maps")).size(),
        resident());
  }

  private static long entries(String folder) throws IOException {
    try (Stream<Path> all = Files.list(Path.of(folder))) {
      return all.count();
    }
  }

  private static long resident() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }

  String encode() {
    return descriptors + "," + threads + "," + mappings + "," + residentKib;
  }

  static Holdings decode(String text) {
    String[] parts = text.split(",");
    return new Holdings(
        Long.parseLong(parts[0]),
        Long.parseLong(parts[1]),
        Long.parseLong(parts[2]),
        Long.parseLong(parts[3]));
  }
}
