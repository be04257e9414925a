package dev.jcomms.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompileCacheTest {
  @TempDir Path folder;

  @Test
  void aFolderThatOthersCanWriteToIsRefused() throws Exception {
    Path own = UserFolders.own(folder.resolve("own"));
    assertThat(UserFolders.own(own)).isEqualTo(own);
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(() -> UserFolders.own(open))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not this user's alone");
    Path link = Files.createSymbolicLink(folder.resolve("link"), own);
    assertThatThrownBy(() -> UserFolders.own(link)).isInstanceOf(IOException.class);
  }

  @Test
  void theCacheIsWhereTheEnvironmentHasIt() throws Exception {
    assertThat(UserFolders.cache(Map.of("JCOMMS_CACHE", "/c"))).isEqualTo(Path.of("/c"));
    assertThat(UserFolders.cache(Map.of("XDG_CACHE_HOME", "/x"))).isEqualTo(Path.of("/x/jcomms"));
  }

  @Test
  void aRecordCutShortIsCompiledAnew() throws Exception {
    compile("One");
    for (String text : List.of("", "classes\n", "classes\n\nOne\n", "classes\n\nOne\nx\n")) {
      Files.writeString(record(), text);
      assertThat(compile("One").mainClass()).isEqualTo("One");
    }
  }

  @Test
  void aProgramInUseIsKeptHoweverOld() throws Exception {
    compile("One");
    Path record = record();
    FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(100)));
    Files.setLastModifiedTime(record.resolveSibling("lock"), longAgo);
    Path unused = Files.createDirectory(folder.resolve("unused"));
    Files.createFile(unused.resolve("lock"));
    Files.setLastModifiedTime(unused.resolve("lock"), longAgo);
    compile("Two");
    assertThat(record).exists();
    assertThat(unused).doesNotExist();
  }

  private CompiledSource compile(String name) throws IOException {
    Path source = Files.writeString(folder.resolve(name + ".java"), "void main() {}");
    return new CompileCache(folder)
        .get(List.of(name), _ -> new CompileCache.Entry(List.of(source), "", name));
  }

  private Path record() throws IOException {
    try (var tree = Files.walk(folder)) {
      return tree.filter(path -> path.endsWith("program")).findFirst().orElseThrow();
    }
  }
}
