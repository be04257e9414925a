package dev.jcomms.jccl.internal.select;

import dev.jcomms.jccl.Algorithm;
import dev.jcomms.jccl.Setup;
import java.util.Map;
import java.util.TreeMap;

/**
 * One of jccl's own: running it is forcing it in the engine, which refuses what it does not have
 * here, on all ranks alike and before anything moves.
 *
 * @param host whether ranks of one host have it
 * @param tcp whether ranks that reach each other by TCP have it
 * @param mixed whether hosts of several ranks have it, beside all that TCP has
 */
record Builtin(
    String name, String collective, String description, boolean host, boolean tcp, boolean mixed)
    implements Algorithm {
  /** Where it is to be had: {@code host}, {@code tcp}, {@code two_level}. */
  @Override
  public Map<String, Long> tags() {
    Map<String, Long> tags = new TreeMap<>();
    if (host) {
      tags.put("host", 1L);
    }
    if (tcp) {
      tags.put("tcp", 1L);
    }
    if (mixed) {
      tags.put("two_level", 1L);
    }
    return tags;
  }

  /** The engine is always ready: for algorithms that are made of others. */
  @Override
  public Preparation prepare(Setup setup) {
    return Preparation.ready(task -> ((RankSetup) setup).force(name, (OpTask) task));
  }
}
