import module dev.jcomms;

/*
 * 01 Hello: every rank brings a tensor, every rank leaves with the sum of all of them.
 *
 *   ./jcomms run -n 4 examples/01-hello/Hello.java
 *
 * `jcomms run` starts four processes of this program and tells each its rank and where to meet;
 * Comm.newComm() reads that from the environment. The same file runs alone, as a world of one, and
 * under torchrun, mpirun or srun: whoever starts the ranks, the program does not change.
 *
 * Rank r brings 1024 elements of r + 1, so with four ranks all leave with 1 + 2 + 3 + 4 = 10.
 */
void main() {
  try (Comm comm = Comm.newComm()) {
    Tensor x = Tensor.full(Shape.of(1024), comm.rank() + 1);
    comm.allReduce(x, ReduceOp.SUM);
    IO.println("rank " + comm.rank() + "/" + comm.size() + ": " + x.getFloat(0));
  }
}
