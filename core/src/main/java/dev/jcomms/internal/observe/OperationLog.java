package dev.jcomms.internal.observe;

import dev.jcomms.Hook;
import java.util.Optional;

/** Logs every operation at its start and end. */
public final class OperationLog implements Hook {
  private static final System.Logger LOG = System.getLogger("dev.jcomms.operations");

  @Override
  public void before(Call call) {
    LOG.log(
        System.Logger.Level.INFO,
        "rank "
            + call.comm().rank()
            + ": "
            + call
            + " starts, "
            + Volume.bytes(call.op())
            + " bytes");
  }

  @Override
  public void after(Call call, Optional<RuntimeException> failure) {
    LOG.log(
        failure.isEmpty() ? System.Logger.Level.INFO : System.Logger.Level.WARNING,
        "rank "
            + call.comm().rank()
            + ": "
            + call
            + failure.map(f -> " failed: " + f).orElse(" is done"));
  }
}
