import dev.jcomms.jccl.Algorithm;
import dev.jcomms.jccl.Setup;
import java.lang.foreign.MemorySegment;

/**
 * An all-gather through memory that the ranks of a host share: write, meet, read. A source file
 * that is compiled at run time, as MSCCL++'s customized_allgather.cu is.
 */
public final class CustomizedAllGather implements Algorithm {
  @Override
  public String name() {
    return "customized";
  }

  @Override
  public String collective() {
    return "all_gather";
  }

  @Override
  public String description() {
    return "Every rank writes its section to a board, and reads all when all have written.";
  }

  @Override
  public long maxBytes() {
    return 1 << 20;
  }

  /** The board is set up once, for the largest size, whatever the first request is. */
  @Override
  public Preparation prepare(Setup setup) {
    if (setup.host().size() < setup.size()) {
      return Preparation.infeasible("the ranks are on several hosts");
    }
    MemorySegment board = setup.shared(maxBytes());
    return Preparation.ready(
        task -> {
          long bytes = task.input().bytes();
          MemorySegment.copy(task.input().segment(), 0, board, setup.rank() * bytes, bytes);
          setup.meet();
          MemorySegment.copy(board, 0, task.output().segment(), 0, setup.size() * bytes);
          setup.meet(); // nobody writes the next one while somebody reads this one
        });
  }
}
