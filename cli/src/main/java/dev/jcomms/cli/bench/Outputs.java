package dev.jcomms.cli.bench;

import dev.jcomms.cli.bench.report.HtmlReport;
import dev.jcomms.cli.bench.report.JsonReport;
import dev.jcomms.cli.bench.report.Section;
import dev.jcomms.cli.info.Machine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files that results are written to, besides the table. */
record Outputs(Optional<Path> json, Optional<Path> html) {

  /** Opens each now, before minutes are spent on what cannot be kept. Loses no content. */
  void check() throws IOException {
    for (Path file : List.of(json, html).stream().flatMap(Optional::stream).toList()) {
      Files.newByteChannel(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
    }
  }

  void write(Machine machine, Map<String, String> peers, List<Section> sections)
      throws IOException {
    if (json.isPresent()) {
      Files.write(json.get(), JsonReport.of(machine, peers, sections));
    }
    if (html.isPresent()) {
      String page = HtmlReport.of(machine, peers, sections);
      Files.write(html.get(), page.getBytes(StandardCharsets.UTF_8));
    }
  }

  /** For another process; no word is empty, since some launchers drop those. */
  List<String> words() {
    return List.of(word(json), word(html));
  }

  static Outputs of(List<String> words) {
    return new Outputs(path(words.get(0)), path(words.get(1)));
  }

  private static String word(Optional<Path> file) {
    return "=" + file.map(path -> path.toAbsolutePath().toString()).orElse("");
  }

  private static Optional<Path> path(String word) {
    return word.equals("=") ? Optional.empty() : Optional.of(Path.of(word.substring(1)));
  }
}
