package dev.jcomms.cli.info;

import dev.jcomms.Collective;
import dev.jcomms.tensor.DType;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The report for people. */
final class InfoText {
  private static final int LABEL = 12;
  private static final int WIDTH = 100;

  private final PrintWriter out;

  private InfoText(PrintWriter out) {
    this.out = out;
  }

  static void print(
      PrintWriter out,
      Machine machine,
      List<BackendReport> backends,
      List<SettingReport> settings) {
    InfoText text = new InfoText(out);
    text.machine(machine);
    out.println();
    out.println("Backends");
    for (BackendReport backend : backends) text.backend(backend);
    out.println();
    out.println("Settings");
    text.settings(settings);
  }

  private void machine(Machine m) {
    out.println("JComms " + m.version());
    line("java", m.java() + " (" + m.vendor() + "), " + m.javaHome());
    line("system", m.system() + " " + m.architecture());
    line(
        "resources",
        m.cpu()
            + ", "
            + m.processors()
            + (m.processors() == 1 ? " processor, " : " processors, ")
            + gibibytes(m.memoryBytes())
            + " memory, heap up to "
            + gibibytes(m.heapBytes()));
    line("simd", simd(m));
  }

  private static String simd(Machine m) {
    String bits = m.vectorBits() == 0 ? "unknown width" : m.vectorBits() + " bits";
    if (!m.vectorModule()) return bits + "; unused: this Java lacks " + Machine.VECTOR;
    if (!m.vectorsForRanks()) return bits + "; unused: no jccl on the module path";
    return bits + "; ranks use them in large reductions (" + Machine.VECTOR + ")";
  }

  private void backend(BackendReport b) {
    out.println("  " + b.name() + " " + b.version() + ", for " + String.join(", ", b.devices()));
    if (!b.problem().isEmpty()) {
      wrapped("cannot open", b.problem());
      return;
    }
    // A monitored barrier is core's own: it works on every backend.
    int all = Collective.kinds().size() - 1;
    wrapped("operations", counted(b.operations(), all));
    wrapped("dtypes", counted(b.dtypes(), DType.values().length));
    if (!b.abilities().isEmpty()) wrapped("also", String.join(", ", b.abilities()));
    for (Map.Entry<String, String> feature : b.features().entrySet()) {
      wrapped("feature", feature.getKey() + " from " + feature.getValue());
    }
    b.facts().forEach(this::wrapped);
  }

  private static String counted(List<String> names, int all) {
    return (names.size() >= all ? "all " : "") + names.size() + ": " + String.join(", ", names);
  }

  private void settings(List<SettingReport> settings) {
    int width = 0;
    for (SettingReport s : settings) width = Math.max(width, s.variables().getFirst().length());
    for (SettingReport s : settings) {
      String value = s.value().isEmpty() ? "not set" : s.value();
      if (!s.source().equals("default")) {
        value += " (from " + s.source();
        value += s.defaultText().isEmpty() ? ")" : "; default " + s.defaultText() + ")";
      } else if (!s.defaultText().isEmpty()) {
        value += " (default)";
      }
      out.println("  " + padded(s.variables().getFirst(), width) + "  " + value);
      List<String> others = s.variables().subList(1, s.variables().size());
      String also = others.isEmpty() ? "" : "; also " + String.join(", ", others);
      fold(" ".repeat(width + 4), s.description() + also);
    }
  }

  private void line(String label, String text) {
    out.println("  " + padded(label, LABEL) + text);
  }

  private void wrapped(String label, String text) {
    out.print("    " + padded(label, LABEL - 1) + " ");
    fold(" ".repeat(4 + LABEL), text, 4 + LABEL);
  }

  private void fold(String indent, String text) {
    out.print(indent);
    fold(indent, text, indent.length());
  }

  /** Prints words from a column on, in as many lines as they take. */
  private void fold(String indent, String text, int from) {
    int column = from;
    for (String word : text.split(" ")) {
      if (column + word.length() > WIDTH && column > from) {
        out.println();
        out.print(indent);
        column = from;
      } else if (column > from) {
        out.print(' ');
        column++;
      }
      out.print(word);
      column += word.length();
    }
    out.println();
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static String gibibytes(long bytes) {
    return bytes == 0
        ? "unknown"
        : String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1 << 30));
  }
}
