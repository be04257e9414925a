package dev.jcomms.fake;

import dev.jcomms.Feature;
import dev.jcomms.spi.Backend;
import dev.jcomms.spi.BackendContext;
import dev.jcomms.spi.BackendProvider;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The backend {@code fake}: completes everything, moves nothing, and does as its {@link FakeScript}
 * says. For tests of user code and of core.
 *
 * <p>The one on the module path has no script; a test makes its own and registers it.
 */
public final class FakeProvider implements BackendProvider {
  private final Function<BackendContext, ? extends Backend> opening;
  private final String version;

  /** A fake that completes everything and notes nothing. */
  public FakeProvider() {
    this((FakeScript) null);
  }

  /** A fake that does as the script says. */
  public FakeProvider(FakeScript script) {
    this(script, "1.0.0");
  }

  /** A fake that does as the script says and pretends to be of a version. */
  public FakeProvider(FakeScript script, String version) {
    this(context -> new FakeBackend(context, script), version);
  }

  /** A fake in name alone: its backends are a test's own. */
  public FakeProvider(Function<BackendContext, ? extends Backend> opening) {
    this(opening, "1.0.0");
  }

  private FakeProvider(Function<BackendContext, ? extends Backend> opening, String version) {
    this.opening = opening;
    this.version = version;
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public Set<String> devices() {
    return Set.of("cpu", "cuda", "privateuse1");
  }

  /** As NCCL's, so that gates can be tried without it. */
  @Override
  public Map<Feature, String> features() {
    return Map.of(
        Feature.NAMED_COMMUNICATORS, "1.0.0",
        Feature.MEMORY_REGISTRATION, "1.2.0",
        Feature.SPARSE_REDUCE, "2.0.0");
  }

  @Override
  public Backend open(BackendContext context) {
    return opening.apply(context);
  }
}
