package dev.jcomms.cli.tune;

import dev.jcomms.Codecs;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.Tuner;
import dev.jcomms.jccl.TuningTable;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What rank 0 tells the command: one line of JSON on stdout each, {@code {"tune":"size",…}}. */
sealed interface TuneMessage {
  /** One size is done. */
  record Size(Tuner.Progress progress) implements TuneMessage {}

  /** All is done; a table with the one profile. */
  record Done(TuningTable table) implements TuneMessage {}

  default String line() {
    Map<String, Object> map = new LinkedHashMap<>();
    switch (this) {
      case Size(Tuner.Progress p) -> {
        map.put("tune", "size");
        map.put("done", p.done());
        map.put("total", p.total());
        map.put("collective", p.collective());
        map.put("bytes", p.entry().bytes());
        map.put("symmetric", p.entry().symmetric());
        map.put("choice", p.entry().choice().toString());
        map.put("time", p.entry().micros());
        map.put("auto", p.entry().autoMicros());
        map.put("defaults", p.defaults().stream().map(Choice::toString).toList());
        map.put("micros", p.micros());
        map.put("skipped", p.skipped());
      }
      case Done(TuningTable table) -> {
        map.put("tune", "done");
        map.put("table", table.toJson());
      }
    }
    return new String(Codecs.JSON.encode(map), StandardCharsets.UTF_8);
  }

  /** What a line says; empty for one that is none of ours. */
  static Optional<TuneMessage> parse(String line) {
    if (!line.startsWith("{\"tune\":")) return Optional.empty();
    Map<?, ?> map = (Map<?, ?>) Codecs.JSON.decode(line.getBytes(StandardCharsets.UTF_8));
    if (map.get("tune").equals("done")) {
      return Optional.of(new Done(TuningTable.parse((String) map.get("table"))));
    }
    Map<String, Double> micros = new LinkedHashMap<>();
    ((Map<?, ?>) map.get("micros")).forEach((way, time) -> micros.put((String) way, real(time)));
    Map<String, String> skipped = new LinkedHashMap<>();
    ((Map<?, ?>) map.get("skipped"))
        .forEach((way, reason) -> skipped.put((String) way, (String) reason));
    TuningTable.Entry entry =
        new TuningTable.Entry(
            (Long) map.get("bytes"),
            (Boolean) map.get("symmetric"),
            Choice.parse((String) map.get("choice")),
            real(map.get("time")),
            real(map.get("auto")));
    return Optional.of(
        new Size(
            new Tuner.Progress(
                Math.toIntExact((Long) map.get("done")),
                Math.toIntExact((Long) map.get("total")),
                (String) map.get("collective"),
                entry,
                ((List<?>) map.get("defaults"))
                    .stream().map(name -> Choice.parse((String) name)).toList(),
                micros,
                skipped)));
  }

  private static double real(Object number) {
    return ((Number) number).doubleValue();
  }
}
