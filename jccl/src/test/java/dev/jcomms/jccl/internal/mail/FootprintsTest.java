package dev.jcomms.jccl.internal.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.tensor.DType;
import dev.jcomms.tensor.Shape;
import dev.jcomms.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FootprintsTest {
  private static final int ROOM = 1 << 16;

  private final Random random = new Random(7);
  private final Tensor room = Tensor.empty(DType.U8, Shape.of(ROOM));
  private final Tensor heap =
      Tensor.wrap(MemorySegment.ofArray(new byte[ROOM]), DType.U8, Shape.of(ROOM));
  private final Footprints footprints = new Footprints();

  private record Use(Tensor tensor, boolean writes) implements Part {
    @Override
    public int peer() {
      return 1;
    }

    @Override
    public boolean isDone() {
      return false;
    }

    @Override
    public String progress() {
      return "";
    }

    @Override
    public void cancel() {}
  }

  private Use use() {
    int bytes = random.nextInt(10) == 0 ? random.nextInt(ROOM / 2) : random.nextInt(200);
    Tensor in = random.nextInt(4) == 0 ? heap : room;
    return new Use(in.narrow(0, random.nextInt(ROOM - bytes), bytes), random.nextBoolean());
  }

  private static Job job(Use... uses) {
    Job job = new Job(_ -> {});
    for (Use use : uses) {
      job.add(use);
    }
    return job;
  }

  private static boolean conflict(Job job, Tensor tensor, boolean writers) {
    return job.parts().stream()
        .anyMatch(
            part ->
                (part.writes() || !writers)
                    && part.tensor().segment().asOverlappingSlice(tensor.segment()).isPresent());
  }

  @Test
  void findsWhatOverlapsAndNothingElse() {
    int found = 0;
    for (int round = 0; round < 300; round++) {
      List<Job> jobs = new ArrayList<>();
      for (int i = random.nextInt(40); i >= 0; i--) {
        Job job = random.nextBoolean() ? job(use()) : job(use(), use());
        jobs.add(job);
        footprints.add(job);
      }
      while (!jobs.isEmpty()) {
        Tensor looked = use().tensor();
        boolean writers = random.nextBoolean();
        Job one = footprints.overlapping(looked, writers);
        boolean any = jobs.stream().anyMatch(job -> conflict(job, looked, writers));
        assertThat(one != null).isEqualTo(any);
        if (one != null) {
          found++;
          assertThat(jobs).contains(one);
          assertThat(conflict(one, looked, writers)).isTrue();
        }
        Job gone = jobs.remove(random.nextInt(jobs.size()));
        footprints.remove(gone);
        footprints.remove(gone);
      }
      assertThat(footprints.overlapping(room, false)).isNull();
      assertThat(footprints.overlapping(heap, false)).isNull();
    }
    assertThat(found).isGreaterThan(1000);
  }

  @Test
  void aJobThatIsOverIsNotFound() {
    Job job = job(new Use(room.narrow(0, 0, 8), true));
    footprints.add(job);
    assertThat(footprints.overlapping(room, true)).isSameAs(job);
    job.begun();
    job.fail(new IllegalStateException("enough"));
    assertThat(footprints.overlapping(room, true)).isNull();
  }
}
