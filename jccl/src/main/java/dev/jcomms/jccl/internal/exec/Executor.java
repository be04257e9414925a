package dev.jcomms.jccl.internal.exec;

import dev.jcomms.BackendException;
import dev.jcomms.BootstrapException;
import dev.jcomms.CommException;
import dev.jcomms.CommMismatchException;
import dev.jcomms.CommTimeoutException;
import dev.jcomms.OpOptions;
import dev.jcomms.jccl.internal.mail.Mailroom;
import dev.jcomms.jccl.internal.transport.Alarm;
import dev.jcomms.jccl.internal.transport.Bulletin;
import dev.jcomms.jccl.internal.transport.Roster;
import dev.jcomms.jccl.internal.transport.shm.Floor;
import dev.jcomms.jccl.internal.transport.shm.HostMemory;
import dev.jcomms.jccl.internal.transport.shm.SymmetricMemory;
import dev.jcomms.jccl.plan.Finding;
import dev.jcomms.jccl.plan.Plan;
import dev.jcomms.jccl.plan.PlanLayout;
import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs plans for one rank of a communicator. A communicator opens one; prepared plans live until it
 * is closed. Any thread, but plans are prepared one at a time and in the same order on all ranks.
 */
public final class Executor implements AutoCloseable {
  private static final String HAD = "had";

  private final Roster roster;
  private final Bulletin bulletin;
  private final SymmetricMemory symmetric;
  private final Mailroom mail;
  private final Alarm alarm;
  private final Floor floor;
  private final String fileName;
  private final Runner runner;
  private final Map<String, PreparedPlan> prepared = new HashMap<>();
  private int preparations;

  /**
   * @param floor of the host's ranks; null if this is the only one
   * @param fileName how files of shared memory begin
   * @param attend raises the alarm if a peer is lost or has declared a failure; called now and then
   *     by who waits
   */
  public Executor(
      Roster roster,
      Bulletin bulletin,
      SymmetricMemory symmetric,
      Mailroom mail,
      Alarm alarm,
      Floor floor,
      String fileName,
      Runnable attend) {
    this.roster = roster;
    this.bulletin = bulletin;
    this.symmetric = symmetric;
    this.mail = mail;
    this.alarm = alarm;
    this.floor = floor;
    this.fileName = fileName;
    long here =
        roster.peers().stream()
            .filter(peer -> peer.sameHost(roster.peers().get(roster.rank())))
            .count();
    boolean cores = here <= Runtime.getRuntime().availableProcessors();
    this.runner = new Runner(roster.rank(), cores, attend);
  }

  /**
   * Makes a plan ready for messages up to a size. Collective. A plan that is ready for such
   * messages is given again.
   *
   * @throws IllegalArgumentException if the plan cannot run, or not on so many ranks, or not with
   *     such messages
   * @throws CommMismatchException if ranks bring different plans or sizes
   * @throws BackendException if a rank cannot have the memory, on all ranks: the communicator goes
   *     on
   */
  public synchronized PreparedPlan prepare(Plan plan, long messageBytes, Duration timeout) {
    requireSound(plan);
    requireSize(plan);
    String digest = digest(plan);
    try {
      agree(plan, digest, messageBytes, timeout);
      PreparedPlan known = prepared.get(digest);
      if (known != null && known.mostBytes() >= messageBytes) {
        return known;
      }
      PreparedPlan made = make(plan, messageBytes, timeout);
      prepared.put(digest, made);
      if (known != null) {
        known.close();
      }
      return made;
    } catch (BootstrapException e) {
      CommException late = new CommTimeoutException(timeout, e.detail(), e.missingRanks());
      alarm.raise(late);
      throw late;
    } catch (BackendException e) {
      throw e;
    } catch (CommException e) {
      alarm.raise(e);
      throw e;
    }
  }

  /** Refuses a plan with errors. */
  static void requireSound(Plan plan) {
    List<Finding> errors =
        plan.validate().stream()
            .filter(finding -> finding.severity() == Finding.Severity.ERROR)
            .toList();
    if (!errors.isEmpty()) {
      throw new IllegalArgumentException(
          "plan '%s' cannot run: %s%s"
              .formatted(
                  plan.name(),
                  errors.getFirst(),
                  errors.size() > 1 ? " (and " + (errors.size() - 1) + " more)" : ""));
    }
  }

  private void requireSize(Plan plan) {
    if (plan.ranks().size() != roster.size()) {
      throw new IllegalArgumentException(
          "plan '%s' is for %d ranks; the communicator has %d"
              .formatted(plan.name(), plan.ranks().size(), roster.size()));
    }
  }

  private static String digest(Plan plan) {
    try {
      byte[] text = plan.toJson().getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }

  private void agree(Plan plan, String digest, long messageBytes, Duration timeout) {
    String mine = digest + " " + messageBytes + " " + plan.name();
    List<String> all = bulletin.exchange("plan/" + preparations++ + ".asked", mine, timeout);
    for (int r = 0; r < all.size(); r++) {
      if (!all.get(r).equals(mine)) {
        String[] theirs = all.get(r).split(" ", 3);
        throw new CommMismatchException(
            "rank %d prepares plan '%s' (%.8s) for %d bytes, rank %d '%s' (%.8s) for %s"
                .formatted(
                    roster.rank(),
                    plan.name(),
                    digest,
                    messageBytes,
                    r,
                    theirs[2],
                    theirs[0],
                    theirs[1]),
            Set.of(r));
      }
    }
  }

  private PreparedPlan make(Plan plan, long messageBytes, Duration timeout) {
    int rank = roster.rank();
    List<Integer> host = roster.host(rank);
    Exposure exposure = new Exposure(plan);
    RankMemory[] layouts = new RankMemory[roster.size()];
    for (int r = 0; r < layouts.length; r++) {
      PlanLayout largest = PlanLayout.forMessage(plan, r, messageBytes);
      boolean staged = exposure.isExposed(r) && stages();
      layouts[r] = new RankMemory(plan, r, largest, exposure.keepsDataInScratch(), staged);
    }
    String topic = "plan/" + preparations++;
    HostMemory shared = share(topic, PlanMemory.bytes(layouts, host), timeout);
    PlanMemory memory = new PlanMemory(shared, symmetric, rank, host, layouts);
    try {
      if (roster.hosts().size() > 1) {
        Tensor part = Tensor.wrap(memory.part(), DType.U8, Shape.of(memory.part().byteSize()));
        memory.reach(new Far(mail.registerForOperation(part, OpOptions.timeout(timeout))));
      }
      bulletin.exchange(topic + ".ready", "", timeout);
      Neighbours neighbours = new Neighbours(memory, exposure, rank, alarm, floor);
      return new PreparedPlan(
          plan, rank, messageBytes, memory, exposure, alarm, neighbours, runner);
    } catch (RuntimeException e) {
      memory.close();
      if (e instanceof IllegalStateException) {
        CommException failure =
            new BackendException("plan '" + plan.name() + "': " + e.getMessage(), e);
        alarm.raise(failure);
        throw failure;
      }
      throw e;
    }
  }

  /**
   * Memory of this host's ranks, when all hosts have theirs: afterwards ranks wait for those of
   * other hosts.
   */
  private HostMemory share(String topic, long bytes, Duration timeout) {
    HostMemory shared = null;
    String outcome = HAD;
    try {
      shared = HostMemory.share(roster, bulletin, topic, fileName, bytes, timeout);
    } catch (BackendException e) {
      if (roster.hosts().size() == 1) {
        throw e;
      }
      outcome = "not " + e.detail();
    }
    try {
      if (roster.hosts().size() > 1) {
        requireHad(bulletin.exchange(topic + ".had", outcome, timeout));
      }
      return shared;
    } catch (RuntimeException e) {
      if (shared != null) {
        shared.close();
      }
      throw e;
    }
  }

  private static void requireHad(List<String> outcomes) {
    for (String outcome : outcomes) {
      if (!outcome.equals(HAD)) {
        throw new BackendException(outcome.substring("not ".length()), null);
      }
    }
  }

  /** Whether somebody's input or output may have to be staged. The same on all ranks. */
  private boolean stages() {
    return roster.hosts().size() > 1
        || !roster.peers().stream().allMatch(peer -> peer.sameProcess(roster.peers().getFirst()))
        || roster.transport() == Roster.Transport.SHM;
  }

  /** Frees all plans. The mail has been closed: nobody writes into their memory any more. */
  @Override
  public synchronized void close() {
    prepared.values().forEach(PreparedPlan::free);
    prepared.clear();
  }
}
