package dev.jcomms.cli.launch;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What a rank finds in its environment: torchrun's variables under torchrun's names, so that a
 * PyTorch program starts unchanged, and ours.
 */
final class RankEnvironment {
  /** Marks every process of a job, however deep; {@link Guard} finds what is left by it. */
  static final String JOB = "JCOMMS_JOB";

  static final String SECRET = "JCOMMS_SECRET";
  static final String SECRET_FILE = "JCOMMS_SECRET_FILE";

  /**
   * What would win over the launcher's word about a rank's place, were it left in the environment
   * by whatever started the launcher.
   */
  static final Set<String> STALE =
      Set.of(
          "JCOMMS_RANK",
          "JCOMMS_SIZE",
          "JCOMMS_MASTER_ADDR",
          "JCOMMS_MASTER_PORT",
          "JCOMMS_AGENT_STORE",
          "JCOMMS_STORE_FILE",
          "JCOMMS_GENERATION",
          "TORCHCOMM_RANK",
          "TORCHCOMM_SIZE",
          SECRET_FILE);

  /** What is the same for all ranks of a job. */
  record Common(
      String job,
      String runId,
      String role,
      String masterAddress,
      int masterPort,
      int maxRestarts,
      String secret) {}

  private RankEnvironment() {}

  /**
   * The variables to add for one rank.
   *
   * @param inherited what the rank has anyway; asked only for {@code OMP_NUM_THREADS}
   * @param extra what the user asked for by {@code --env}; wins over everything
   */
  static Map<String, String> of(
      Placement at,
      Common common,
      int restart,
      Path errorFile,
      Map<String, String> inherited,
      Map<String, String> extra) {
    Map<String, String> env = new LinkedHashMap<>();
    env.put("RANK", "" + at.rank());
    env.put("WORLD_SIZE", "" + at.worldSize());
    env.put("LOCAL_RANK", "" + at.localRank());
    env.put("LOCAL_WORLD_SIZE", "" + at.localWorldSize());
    env.put("GROUP_RANK", "" + at.nodeRank());
    env.put("GROUP_WORLD_SIZE", "" + at.nodes());
    env.put("ROLE_RANK", "" + at.rank());
    env.put("ROLE_WORLD_SIZE", "" + at.worldSize());
    env.put("ROLE_NAME", common.role());
    env.put("MASTER_ADDR", common.masterAddress());
    env.put("MASTER_PORT", "" + common.masterPort());
    env.put("TORCHELASTIC_RESTART_COUNT", "" + restart);
    env.put("TORCHELASTIC_MAX_RESTARTS", "" + common.maxRestarts());
    env.put("TORCHELASTIC_RUN_ID", common.runId());
    env.put("TORCHELASTIC_USE_AGENT_STORE", "True");
    env.put("TORCHELASTIC_ERROR_FILE", errorFile.toString());
    if (at.localWorldSize() > 1 && !inherited.containsKey("OMP_NUM_THREADS")) {
      env.put("OMP_NUM_THREADS", "1");
    }
    env.put(SECRET, common.secret());
    env.put(JOB, common.job());
    env.putAll(extra);
    return env;
  }
}
