package dev.jcomms.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFileTest {
  @TempDir private Path folder;

  @Test
  void lookingLeavesNothingBehindAndLosesNothing() throws Exception {
    ResultFile.check(folder.resolve("new.json"));
    assertThat(names()).isEmpty();
    Path old = Files.writeString(folder.resolve("old.json"), "old");
    ResultFile.check(old);
    assertThat(old).hasContent("old");
    assertThat(names()).containsExactly("old.json");
  }

  @Test
  void whatCannotBeWrittenIsNamed() {
    assertRefused(folder.resolve("none/x.json"), "no such file or folder");
    assertRefused(folder, "Is a directory");
  }

  private static void assertRefused(Path file, String reason) {
    assertThatThrownBy(() -> ResultFile.check(file))
        .isInstanceOfSatisfying(
            FileSystemException.class,
            e -> {
              assertThat(e.getFile()).isEqualTo(file.toString());
              assertThat(e.getReason()).isEqualTo(reason);
            });
  }

  @Test
  void writingReplacesTheContentAndKeepsTheRightsAndTheLink() throws Exception {
    Path file = Files.writeString(folder.resolve("x.json"), "something longer");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    Path link = Files.createSymbolicLink(folder.resolve("link.json"), file.getFileName());
    write(link, "new");
    assertThat(file).hasContent("new");
    assertThat(link).isSymbolicLink();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r-----");
    assertThat(names()).containsExactly("link.json", "x.json");
  }

  @Test
  void aNewFileHasTheRightsOfAnyOther() throws Exception {
    Path other = Files.writeString(folder.resolve("other"), "");
    Path file = folder.resolve("x.json");
    write(file, "new");
    assertThat(Files.getPosixFilePermissions(file)).isEqualTo(Files.getPosixFilePermissions(other));
  }

  @Test
  void aDeviceStaysOne() throws Exception {
    Path device = Path.of("/dev/null");
    assertThat(ResultFile.isReplaceable(device)).isFalse();
    assertThat(ResultFile.isReplaceable(folder.resolve("new.json"))).isTrue();
    ResultFile.check(device);
    ResultFile.checkDifferent("--json", device, "--html", device);
    write(device, "gone");
    assertThat(Files.isRegularFile(device)).isFalse();
  }

  private static void write(Path file, String text) throws IOException {
    ResultFile.write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
