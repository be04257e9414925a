package dev.jcomms.cli.bench.report;

import dev.jcomms.Codecs;
import dev.jcomms.cli.bench.measure.Plan;
import dev.jcomms.cli.info.Machine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results for programs: one document, one entry a form of a size. */
public final class JsonReport {
  private JsonReport() {}

  public static byte[] of(Machine machine, Map<String, String> peers, List<Section> sections) {
    Map<String, Object> document = new LinkedHashMap<>();
    Map<String, Object> facts = new LinkedHashMap<>(machine.toMap());
    facts.put("peers", peers);
    document.put("machine", facts);
    List<Object> results = new ArrayList<>();
    List<Object> notes = new ArrayList<>();
    for (Section section : sections) {
      for (Row row : section.rows()) {
        for (Cell cell : row.cells()) results.add(result(section, row, cell));
      }
      notes.addAll(section.notes());
    }
    document.put("results", results);
    document.put("notes", notes);
    return Codecs.JSON.encode(document);
  }

  private static Map<String, Object> result(Section section, Row row, Cell cell) {
    Plan plan = section.plan();
    double bandwidth = row.bandwidth(cell.time().avg());
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("op", plan.op().opName());
    map.put("bytes", row.bytes());
    map.put("count", row.count());
    map.put("dtype", plan.dtype().shortName());
    map.put("redop", plan.redopName());
    map.put("root", plan.shownRoot());
    map.put("ranks", section.ranks());
    map.put("rank_kind", plan.threads() > 0 ? "threads" : "processes");
    map.put("backend", section.backend());
    map.put("transport", section.transport().isEmpty() ? null : section.transport());
    map.put("algorithm", cell.algorithm().isEmpty() ? null : cell.algorithm());
    map.put("symmetric", plan.symmetric());
    map.put("hints", plan.hints());
    map.put("in_place", cell.form().inPlace());
    map.put("rounds", section.rounds());
    map.put("iterations", cell.iterations());
    map.put("sample_iterations", cell.group());
    map.put("time_us", cell.time().toMap());
    map.put("algbw_gbps", bandwidth);
    map.put("busbw_gbps", bandwidth * plan.op().busFactor(section.ranks()));
    map.put("wrong", cell.wrong().isPresent() ? cell.wrong().getAsLong() : null);
    if (cell.limit().isPresent()) {
      Map<String, Object> limit = new LinkedHashMap<>();
      limit.put("kind", section.limit());
      limit.put("time_us", cell.limit().getAsDouble());
      limit.put("fraction", cell.ofLimit().getAsDouble());
      map.put("limit", limit);
    }
    Map<String, Object> peers = new LinkedHashMap<>();
    cell.peers()
        .forEach(
            (name, peer) -> {
              Map<String, Object> other = new LinkedHashMap<>();
              other.put("time_us", peer.time().toMap());
              other.put("iterations", peer.iterations());
              other.put("in_place", peer.form().inPlace());
              other.put("ratio", cell.ratio(name).getAsDouble());
              peers.put(name, other);
            });
    map.put("peers", peers);
    return map;
  }
}
