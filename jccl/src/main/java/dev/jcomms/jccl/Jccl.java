package dev.jcomms.jccl;

import dev.jcomms.Feature;
import dev.jcomms.jccl.internal.JcclBackend;
import dev.jcomms.jccl.internal.JcclProvider;
import dev.jcomms.jccl.internal.select.Customs;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import java.util.Map;
import java.util.Set;

/**
 * The backend {@code jccl} with algorithms and selectors of one's own. Every rank registers an
 * equal one under a name, and makes its communicators with that name:
 *
 * <pre>{@code
 * Jccl mine = Jccl.with(AlgorithmCollection.defaults().with(new RingAllGather()))
 *     .selector(request -> request.bytes() < 4096
 *         ? Optional.empty()
 *         : Optional.of(Choice.of("my_ring")));
 * try (Registration _ = Backends.register("mine", mine);
 *     Comm comm = Comm.newComm("mine", Device.CPU)) { … }
 * }</pre>
 *
 * <p>Whatever no selector chooses is jccl's own choice; the hint {@code algorithm=NAME} on an
 * operation overrides all. Immutable; any thread.
 */
public final class Jccl implements BackendProvider {
  private static final JcclProvider PLAIN = new JcclProvider();

  private final Customs customs;

  private Jccl(Customs customs) {
    this.customs = customs;
  }

  /** jccl with these algorithms to choose from. */
  public static Jccl with(AlgorithmCollection algorithms) {
    return new Jccl(new Customs(algorithms, null, null, null));
  }

  /** With the selector that is asked first. */
  public Jccl selector(Selector primary) {
    return new Jccl(
        new Customs(customs.algorithms(), primary, customs.table(), customs.fallback()));
  }

  /**
   * With the selector that is asked last, when the others have no opinion or their choice is
   * infeasible.
   */
  public Jccl fallback(Selector fallback) {
    return new Jccl(
        new Customs(customs.algorithms(), customs.primary(), customs.table(), fallback));
  }

  /**
   * With a tuning table, which is asked after the first selector. A table that is not for this
   * machine, or names what there is not, is refused when a communicator is made.
   */
  public Jccl tuning(TuningTable table) {
    return new Jccl(
        new Customs(customs.algorithms(), customs.primary(), table, customs.fallback()));
  }

  @Override
  public String name() {
    return PLAIN.name();
  }

  @Override
  public String version() {
    return PLAIN.version();
  }

  @Override
  public Set<String> devices() {
    return PLAIN.devices();
  }

  @Override
  public Map<Feature, String> features() {
    return PLAIN.features();
  }

  @Override
  public Backend open(BackendContext context) {
    return JcclBackend.open(context, customs);
  }
}
