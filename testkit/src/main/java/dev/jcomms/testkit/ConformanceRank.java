package dev.jcomms.testkit;

import java.util.List;

/**
 * One rank of a check between processes, as a program: {@code ConformanceRank BACKEND [TIER
 * [PATTERN]]}, started once for each rank by whatever starts ranks. Rank 0 prints what failed or
 * was skipped, and the sum; all exit with 1 if anything failed.
 */
public final class ConformanceRank {
  private ConformanceRank() {}

  public static void main(String[] args) {
    Tier tier = args.length > 1 ? Tier.parse(args[1]) : Tier.QUICK;
    String pattern = args.length > 2 ? args[2] : "*";
    List<Result> results =
        Conformance.runAsRank(
            Subject.of(args[0]).withTier(tier),
            System.getenv(),
            scenario -> Glob.of(pattern).test(scenario.name()),
            _ -> {});
    long failed = results.stream().filter(Result::isFailed).count();
    if (isFirst()) {
      results.stream()
          .filter(result -> result.outcome() != Result.Outcome.PASSED)
          .forEach(System.out::println);
      System.out.println(failed + " of " + results.size() + " failed");
    }
    System.exit(failed == 0 ? 0 : 1);
  }

  private static boolean isFirst() {
    return dev.jcomms.Setting.RANK.in(System.getenv()).text().matches("0?");
  }
}
