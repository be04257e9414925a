package dev.jcomms.cli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TarGzTest {
  @Test
  void tarReadsBackWhatWasWritten(@TempDir Path work) throws Exception {
    Path folder = Files.createDirectories(work.resolve("in/name"));
    Path deep = Files.createDirectories(folder.resolve("d".repeat(60) + "/" + "e".repeat(60)));
    Files.writeString(deep.resolve("file"), "deep");
    Files.writeString(folder.resolve("tool"), "#!/bin/sh\n").toFile().setExecutable(true);
    Files.write(folder.resolve("block"), new byte[512]);
    Files.createSymbolicLink(folder.resolve("link"), Path.of("tool"));
    Path archive = work.resolve("a.tar.gz");

    TarGz.write(folder, archive, 0);

    Path back = Files.createDirectories(work.resolve("back"));
    Process tar =
        new ProcessBuilder("tar", "xzf", archive.toString(), "-C", back.toString())
            .redirectErrorStream(true)
            .start();
    assertThat(tar.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(new String(tar.getInputStream().readAllBytes())).isEmpty();
    Path name = back.resolve("name");
    assertThat(name.resolve(folder.relativize(deep)).resolve("file")).hasContent("deep");
    assertThat(name.resolve("tool")).isExecutable();
    assertThat(Files.size(name.resolve("block"))).isEqualTo(512);
    assertThat(Files.readSymbolicLink(name.resolve("link"))).isEqualTo(Path.of("tool"));
  }

  @Test
  void theSameFolderGivesTheSameBytes(@TempDir Path work) throws Exception {
    Path folder = Files.createDirectories(work.resolve("x"));
    for (String file : new String[] {"b", "a", "c"}) Files.writeString(folder.resolve(file), file);
    TarGz.write(folder, work.resolve("1"), 5);
    Files.setLastModifiedTime(folder.resolve("a"), java.nio.file.attribute.FileTime.fromMillis(0));
    TarGz.write(folder, work.resolve("2"), 5);
    assertThat(work.resolve("1")).hasSameBinaryContentAs(work.resolve("2"));
  }
}
