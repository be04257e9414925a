package dev.jcomms.tensor.internal.cpu;

/**
 * C = alpha A B + beta C of m by k and k by n elements. Addresses are of first elements, strides in
 * elements. C is not read if beta is zero.
 *
 * @param bytes of an element
 */
public record GemmJob(
    int bytes,
    int m,
    int n,
    int k,
    double alpha,
    long a,
    long aRow,
    long aColumn,
    long b,
    long bRow,
    long bColumn,
    double beta,
    long c,
    long cRow,
    long cColumn) {

  /** Some rows and columns of C. */
  public record Window(int row, int rows, int column, int columns) {}

  /** What makes some rows and columns of C. */
  GemmJob part(long row, int rows, long column, int columns) {
    return new GemmJob(
        bytes,
        rows,
        columns,
        k,
        alpha,
        atA(row, 0),
        aRow,
        aColumn,
        atB(0, column),
        bRow,
        bColumn,
        beta,
        atC(row, column),
        cRow,
        cColumn);
  }

  long atA(long row, long column) {
    return a + (row * aRow + column * aColumn) * bytes;
  }

  long atB(long row, long column) {
    return b + (row * bRow + column * bColumn) * bytes;
  }

  long atC(long row, long column) {
    return c + (row * cRow + column * cColumn) * bytes;
  }
}
