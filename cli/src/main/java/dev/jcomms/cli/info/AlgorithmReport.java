package dev.jcomms.cli.info;

import dev.jcomms.Codecs;
import dev.jcomms.jccl.Algorithm;
import dev.jcomms.jccl.AlgorithmCollection;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The algorithms of jccl, with a sentence each, and what it takes for what. */
final class AlgorithmReport {
  private AlgorithmReport() {}

  static void print(PrintWriter out, boolean json) {
    List<Algorithm> all = AlgorithmCollection.defaults().all();
    if (json) {
      List<Object> maps = new ArrayList<>();
      all.forEach(algorithm -> maps.add(toMap(algorithm)));
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("algorithms", maps);
      document.put("defaults", DefaultsReport.json());
      out.println(new String(Codecs.JSON.encode(document), StandardCharsets.UTF_8));
    } else {
      String collective = "";
      for (Algorithm algorithm : all) {
        if (!algorithm.collective().equals(collective)) {
          if (!collective.isEmpty()) out.println();
          collective = algorithm.collective();
          out.println(collective);
        }
        out.printf(
            "  %-19s %-10s %s%n",
            algorithm.name(),
            String.join(", ", algorithm.tags().keySet()),
            algorithm.description());
      }
      out.println();
      out.println(
          "host: ranks of one host; tcp: between hosts; two_level: hosts of several ranks.");
      out.println();
      DefaultsReport.print(out);
      out.println();
      out.println(
          "Hint algorithm=NAME on an operation forces one; docs/algorithms.md has the costs.");
    }
    out.flush();
  }

  private static Map<String, Object> toMap(Algorithm algorithm) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("collective", algorithm.collective());
    map.put("name", algorithm.name());
    map.put("description", algorithm.description());
    map.put("where", List.copyOf(algorithm.tags().keySet()));
    map.put("min_bytes", algorithm.minBytes());
    map.put("max_bytes", algorithm.maxBytes() == Long.MAX_VALUE ? null : algorithm.maxBytes());
    map.put("parameters", algorithm.parameters());
    return map;
  }
}
