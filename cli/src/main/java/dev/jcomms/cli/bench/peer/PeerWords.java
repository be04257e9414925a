package dev.jcomms.cli.bench.peer;

import dev.jcomms.cli.bench.measure.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A plan as {@code key=value} words for the peers' programs, our rules of timing among them. */
final class PeerWords {
  private PeerWords() {}

  static List<String> of(Plan plan) {
    List<String> words = new ArrayList<>();
    words.add("op=" + plan.op().opName());
    words.add("dtype=" + plan.dtype().shortName());
    words.add("torch_dtype=" + plan.dtype().torchName());
    words.add("width=" + plan.dtype().bytes());
    words.add("redop=" + plan.redop().opName());
    words.add("root=" + plan.root());
    words.add(
        "bytes=" + plan.bytes().stream().map(Object::toString).collect(Collectors.joining(",")));
    for (Map.Entry<String, Number> rule : plan.pace().rules().entrySet()) {
      words.add(rule.getKey() + "=" + rule.getValue());
    }
    return words;
  }
}
