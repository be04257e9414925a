package dev.jcomms.cli.ops;

import dev.jcomms.tensor.dispatch.Declaration;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** All operators, with what a device has to do about each. */
record OperatorReport(List<Declaration> operators) {
  void print(PrintWriter out) {
    for (Declaration op : operators) {
      out.printf("%-9s  %s%n", duty(op), op.schema());
      out.printf("%-9s  %s%n", "", keys(op));
    }
    Map<String, Long> counts =
        operators.stream()
            .collect(Collectors.groupingBy(OperatorReport::duty, Collectors.counting()));
    out.println();
    out.printf(
        "%d operators: %d required, a device must write them; %d with a default, it may; %d"
            + " composite, made of others.%n",
        operators.size(),
        counts.getOrDefault("required", 0L),
        counts.getOrDefault("default", 0L),
        counts.getOrDefault("composite", 0L));
    out.println("What a device still lacks: jcomms ops --device DEVICE");
  }

  Map<String, Object> toMap() {
    return Map.of("operators", operators.stream().map(OperatorReport::toMap).toList());
  }

  private static Map<String, Object> toMap(Declaration op) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", op.name());
    map.put("schema", op.schema().toString());
    map.put("dispatch", op.dispatch());
    map.put("default", op.hasDefault());
    map.put("keys", op.keys().stream().map(Object::toString).toList());
    map.put("uses", op.uses());
    return map;
  }

  private static String duty(Declaration op) {
    return op.isRequired() ? "required" : op.dispatch() ? "default" : "composite";
  }

  private static String keys(Declaration op) {
    return op.keys().isEmpty()
        ? "no kernels"
        : op.keys().stream().map(Object::toString).collect(Collectors.joining(", "));
  }
}
