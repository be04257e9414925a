import module dev.jcomms;

/*
 * 03 Split and objects: smaller groups, and values that are not tensors.
 *
 *   ./jcomms run -n 4 examples/03-split-and-objects/SplitAndObjects.java
 *
 * A split is collective over the communicator that is split: every rank calls it, also those that
 * will be in no group. The new communicator inherits timeout and hints, and is closed by itself.
 */
void main() {
  try (Comm comm = Comm.newComm()) {
    byList(comm);
    byColor(comm);
    leaders(comm);
    objects(comm);
  }
}

/* Each rank gives the list of its own group. The new rank is the position in the list. */
void byList(Comm comm) {
  int half = comm.size() / 2;
  List<Integer> low = IntStream.range(0, half).boxed().toList();
  List<Integer> high = IntStream.range(half, comm.size()).boxed().toList();
  try (Comm group = comm.split(comm.rank() < half ? low : high).orElseThrow()) {
    say(comm, "in group " + group.ranks() + ", sum of ranks " + sumOfRanks(comm, group));
  }
}

/* Or each rank says a color, and who has the same is together; keys decide the new order. */
void byColor(Comm comm) {
  int color = comm.rank() % 2;
  int key = -comm.rank(); // the highest old rank becomes rank 0
  try (Comm group = comm.split(color, key).orElseThrow()) {
    say(comm, "color " + color + ", rank " + group.rank() + " of " + group.ranks());
  }
}

/* An empty list is no part in any group: the answer is empty, but the call is needed all the same. */
void leaders(Comm comm) {
  boolean leads = comm.rank() % 2 == 0;
  List<Integer> even = IntStream.range(0, comm.size()).filter(r -> r % 2 == 0).boxed().toList();
  Optional<Comm> group = comm.split(leads ? even : List.of());
  group.ifPresent(
      leaders -> {
        try (leaders) {
          say(comm, "leads, with " + leaders.size() + " in all");
        }
      });
}

/*
 * Set-up and bookkeeping are seldom tensors. A codec turns values into bytes: text, JSON, or bytes
 * as they are. Java serialization is not among them, since what a peer sends must not run code.
 */
void objects(Comm comm) {
  Map<String, Object> mine = comm.rank() == 0 ? Map.of("lr", 0.25, "steps", 3) : Map.of();
  Object config = comm.broadcastObject(mine, 0, Codecs.JSON);
  String lr = config instanceof Map<?, ?> map ? map.get("lr").toString() : "?";

  List<String> names = comm.allGatherObject("r" + comm.rank(), Codecs.STRING);
  say(comm, "lr " + lr + " for " + String.join(" ", names));
}

float sumOfRanks(Comm comm, Comm group) {
  Tensor sum = Tensor.of((float) comm.rank());
  group.allReduce(sum, ReduceOp.SUM);
  return sum.getFloat(0);
}

void say(Comm comm, String what) {
  IO.println("rank " + comm.rank() + "/" + comm.size() + ": " + what);
}
