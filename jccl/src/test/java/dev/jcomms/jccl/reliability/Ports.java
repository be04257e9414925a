package dev.jcomms.jccl.reliability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The ports that a process listens on, as the kernel tells. */
final class Ports {
  private static final String LISTENING = "0A";

  private Ports() {}

  static List<Integer> of(long pid) throws IOException {
    Set<String> inodes;
    try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      inodes =
          open.map(Ports::target)
              .filter(name -> name.startsWith("socket:["))
              .map(name -> name.replaceAll("\\D", ""))
              .collect(Collectors.toSet());
    }
    return Stream.of("tcp", "tcp6")
        .flatMap(table -> lines(Path.of("/proc/" + pid + "/net/" + table)))
        .map(line -> line.strip().split("\\s+"))
        .filter(words -> words.length > 9 && words[3].equals(LISTENING))
        .filter(words -> inodes.contains(words[9]))
        .map(words -> Integer.parseInt(words[1].substring(words[1].indexOf(':') + 1), 16))
        .toList();
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }

  private static Stream<String> lines(Path table) {
    try {
      return Files.readAllLines(table).stream();
    } catch (IOException e) {
      return Stream.empty();
    }
  }
}
