package dev.jcomms.jccl.internal.tune;

import dev.jcomms.Codecs;
import dev.jcomms.Collective;
import dev.jcomms.OpOptions;
import dev.jcomms.jccl.Algorithm;
import dev.jcomms.jccl.Selector.Choice;
import dev.jcomms.jccl.Selector.Request;
import dev.jcomms.jccl.Tuner;
import dev.jcomms.jccl.TuningTable;
import dev.jcomms.jccl.TuningTable.Entry;
import dev.jcomms.jccl.internal.select.Fit;
import dev.jcomms.jccl.internal.select.Tuning;
import dev.jcomms.jccl.internal.transport.Peer;
import dev.jcomms.jccl.internal.transport.Roster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** One run of a tuner on one rank. One thread. */
public final class Session {
  /** A gain that is not worth an entry, however sure. */
  private static final double LEAST_GAIN = 0.03;

  /** What each way runs before anything is measured, in turns, so that all is compiled by then. */
  private static final int REHEARSAL = 3;

  /** More combinations of launch parameters than anybody waits for. */
  private static final int MOST_COMBINATIONS = 256;

  private final Tuner tuner;
  private final Together together;
  private final TuningTable.Hardware hardware;
  private final Duration timeout;
  private final Memory memory;

  private Session(Tuner tuner) {
    this.tuner = tuner;
    this.together = new Together(tuner.comm());
    this.timeout = tuner.comm().options().timeout();
    this.hardware = Tuning.hardware(roster());
    this.memory = Memory.of(tuner);
  }

  public static TuningTable.Profile run(Tuner tuner, Consumer<Tuner.Progress> watcher) {
    return new Session(tuner).run(watcher);
  }

  /** The roster as the backend has it: the same places, the same hints. */
  private Roster roster() {
    List<Peer> peers =
        tuner.comm().allGatherObject(Peer.self().encode(), Codecs.STRING).stream()
            .map(Peer::decode)
            .toList();
    return Roster.of(tuner.comm().rank(), peers, tuner.comm().options().hints());
  }

  /** One size of one collective, and who takes part. */
  private final class Match {
    final String collective;
    final Exercise exercise;
    final Contest contest;
    final Map<Choice, OpOptions> ways = new LinkedHashMap<>();
    final Map<String, String> skipped = new TreeMap<>();

    Match(String collective, long bytes) {
      this.collective = collective;
      this.exercise =
          new Exercise(
              collective, bytes, memory, tuner.op(), tuner.comm().rank(), tuner.comm().size());
      this.contest = new Contest(tuner.comm(), together, exercise.forms(), tuner.turn());
    }

    private Request request() {
      boolean reduces = exercise.operation() instanceof Collective.Reduction;
      return new Request(
          collective,
          exercise.bytes(),
          tuner.dtype(),
          reduces ? tuner.op() : null,
          hardware.scale(),
          hardware.ranksPerHost(),
          hardware.transport(),
          tuner.symmetric(),
          exercise.operation() instanceof Collective.Rooted rooted ? rooted.root() : -1);
    }

    /** Lets everybody try once; who is infeasible or wrong stays out. */
    void rehearse() {
      admit(Choice.AUTO, OpOptions.DEFAULT);
      for (Algorithm algorithm : tuner.algorithms().of(collective)) {
        for (Choice choice : combinations(algorithm)) {
          Optional<String> refusal = Fit.refusal(algorithm, choice, request());
          if (refusal.isPresent()) {
            skipped.put(choice.toString(), refusal.get());
          } else {
            admit(choice, OpOptions.hint("algorithm", choice.toString()));
          }
        }
      }
    }

    private void admit(Choice choice, OpOptions options) {
      OpOptions way = options.withTimeout(timeout);
      exercise.fill();
      together.meet();
      try {
        for (Collective form : exercise.forms().reversed()) {
          tuner.comm().run(form, way);
        }
      } catch (IllegalArgumentException | UnsupportedOperationException e) {
        skipped.put(choice.toString(), e.getMessage());
        return;
      }
      double wrong = together.most(exercise.wrong())[0];
      if (wrong > 0) {
        skipped.put(choice.toString(), "wrong results: %.0f elements on a rank".formatted(wrong));
        return;
      }
      exercise.clear();
      contest.warm(way, tuner.turn().multipliedBy(REHEARSAL));
      ways.put(choice, way);
    }

    Tuner.Progress play(int done, int total) {
      if (!ways.containsKey(Choice.AUTO)) {
        throw new IllegalStateException(
            "%s of %d bytes: jccl's own choice cannot be measured: %s"
                .formatted(collective, exercise.bytes(), skipped.get("auto")));
      }
      exercise.clear();
      List<Choice> choices = List.copyOf(ways.keySet());
      List<Contest.Times> times = contest.run(List.copyOf(ways.values()), tuner.rounds());
      Map<String, Double> micros = new LinkedHashMap<>();
      int best = 0;
      for (int i = 0; i < choices.size(); i++) {
        micros.put(choices.get(i).toString(), times.get(i).median());
        best = times.get(i).median() < times.get(best).median() ? i : best;
      }
      double auto = times.getFirst().median();
      Entry entry = entry(Choice.AUTO, auto, auto);
      if (best > 0 && times.get(best).beats(times.getFirst(), LEAST_GAIN)) {
        // Who is the best of many may only have been lucky.
        Choice challenger = choices.get(best);
        List<Contest.Times> again =
            contest.run(
                List.of(ways.get(Choice.AUTO), ways.get(challenger)), 2 * tuner.rounds() + 1);
        if (again.get(1).beats(again.get(0), LEAST_GAIN)) {
          entry = entry(challenger, again.get(1).median(), again.get(0).median());
        }
      }
      List<Choice> defaults = TuningTable.defaults().candidates(request());
      return new Tuner.Progress(done, total, collective, entry, defaults, micros, skipped);
    }

    private Entry entry(Choice choice, double micros, double autoMicros) {
      return new Entry(exercise.bytes(), tuner.symmetric(), choice, micros, autoMicros);
    }
  }

  private static List<Choice> combinations(Algorithm algorithm) {
    List<Choice> all = new ArrayList<>(List.of(Choice.of(algorithm.name())));
    for (Map.Entry<String, List<Long>> parameter :
        new TreeMap<>(algorithm.parameters()).entrySet()) {
      List<Choice> more = new ArrayList<>();
      for (Choice one : all) {
        for (long value : parameter.getValue()) {
          Map<String, Long> parameters = new TreeMap<>(one.parameters());
          parameters.put(parameter.getKey(), value);
          more.add(new Choice(algorithm.name(), parameters));
        }
      }
      all = more;
    }
    return all.size() > MOST_COMBINATIONS ? all.subList(0, MOST_COMBINATIONS) : all;
  }

  /** All sizes, until the compiler has nothing left to do. */
  private void rehearse(String collective, List<Long> sizes) {
    Compiler compiler = new Compiler();
    for (int pass = 0; pass < Compiler.MOST_REHEARSALS; pass++) {
      for (long bytes : sizes) {
        new Match(collective, bytes).rehearse();
      }
      if (Compiler.isIdle(together.most(compiler.load())[0])) {
        return;
      }
    }
  }

  private TuningTable.Profile run(Consumer<Tuner.Progress> watcher) {
    int done = 0;
    int total =
        tuner.collectives().stream()
            .mapToInt(name -> name.equals("barrier") ? 1 : tuner.sizes().size())
            .sum();
    Map<String, List<Entry>> collectives = new TreeMap<>();
    for (String collective : tuner.collectives()) {
      List<Long> sizes = collective.equals("barrier") ? List.of(0L) : tuner.sizes();
      rehearse(collective, sizes);
      Map<Long, Entry> entries = new TreeMap<>();
      for (long bytes : sizes) {
        Match match = new Match(collective, bytes);
        match.rehearse();
        Tuner.Progress progress = match.play(++done, total);
        entries.put(progress.entry().bytes(), progress.entry());
        watcher.accept(progress);
      }
      collectives.put(collective, List.copyOf(entries.values()));
    }
    return new TuningTable.Profile(hardware, collectives);
  }
}
