package dev.jcomms.cli.bench;

import dev.jcomms.cli.ResultFile;
import dev.jcomms.cli.bench.report.HtmlReport;
import dev.jcomms.cli.bench.report.JsonReport;
import dev.jcomms.cli.bench.report.Section;
import dev.jcomms.cli.info.Machine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files that results are written to, besides the table. */
record Outputs(Optional<Path> json, Optional<Path> html) {

  /** Makes sure that each can be written, and that none would be lost in the other. */
  void check() throws IOException {
    if (json.isPresent() && html.isPresent()) {
      ResultFile.checkDifferent("--json", json.get(), "--html", html.get());
    }
    for (Path file : List.of(json, html).stream().flatMap(Optional::stream).toList()) {
      ResultFile.check(file);
    }
  }

  /**
   * Replaces what they hold; called after every operation, so that what is finished is kept if the
   * next one fails or is stopped.
   *
   * @param last whether these are all; a pipe gets them only then
   */
  void write(Machine machine, Map<String, String> peers, List<Section> sections, boolean last)
      throws IOException {
    if (json.isPresent() && (last || ResultFile.isReplaceable(json.get()))) {
      ResultFile.write(json.get(), JsonReport.of(machine, peers, sections));
    }
    if (html.isPresent() && (last || ResultFile.isReplaceable(html.get()))) {
      String page = HtmlReport.of(machine, peers, sections);
      ResultFile.write(html.get(), page.getBytes(StandardCharsets.UTF_8));
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
