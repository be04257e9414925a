/*
 * One operation of MPI, timed by the rules of `jcomms bench`: batches until two in a row agree, one
 * batch for the average, samples for the rest, always the slowest rank's time. Arguments are
 * key=value words; rank 0 prints one line of JSON for each form of each size.
 */
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum op { ALL_REDUCE, BROADCAST, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL,
          REDUCE, GATHER, SCATTER, SEND_RECV, BARRIER, OPS };

/* Forms: 1 out of place, 2 in place. Sections: whether the size is made of one section a rank. */
static const struct { const char *name; int forms, sections, reduces; } OP[OPS] = {
  {"all_reduce", 3, 0, 1}, {"broadcast", 2, 0, 0}, {"all_gather", 3, 1, 0},
  {"reduce_scatter", 3, 1, 1}, {"all_to_all", 1, 1, 0}, {"reduce", 2, 0, 1},
  {"gather", 3, 1, 0}, {"scatter", 3, 1, 0}, {"send_recv", 1, 0, 0}, {"barrier", 1, 0, 0},
};

static int argc_;
static char **argv_;
static int rank, ranks, root, in_place, count;
static enum op op;
static MPI_Datatype type;
static MPI_Op redop;
static void *send_buffer, *recv_buffer;

static const char *text(const char *key) {
  size_t length = strlen(key);
  for (int i = 1; i < argc_; i++)
    if (!strncmp(argv_[i], key, length) && argv_[i][length] == '=') return argv_[i] + length + 1;
  fprintf(stderr, "no %s=...\n", key);
  MPI_Abort(MPI_COMM_WORLD, 2);
  return "";
}

static double number(const char *key) { return atof(text(key)); }

static MPI_Datatype type_of(const char *name, int width) {
  if (!strcmp(name, "f64")) return MPI_DOUBLE;
  if (!strcmp(name, "f32")) return MPI_FLOAT;
  if (!strcmp(name, "u8")) return MPI_UINT8_T;
  /* What is only moved needs no more than the right width. */
  return width == 8 ? MPI_INT64_T : width == 4 ? MPI_INT32_T : width == 2 ? MPI_INT16_T : MPI_INT8_T;
}

static MPI_Op redop_of(const char *name) {
  if (!strcmp(name, "product")) return MPI_PROD;
  if (!strcmp(name, "min")) return MPI_MIN;
  if (!strcmp(name, "max")) return MPI_MAX;
  if (!strcmp(name, "band")) return MPI_BAND;
  if (!strcmp(name, "bor")) return MPI_BOR;
  if (!strcmp(name, "bxor")) return MPI_BXOR;
  return MPI_SUM;
}

static inline void once(void) {
  MPI_Comm world = MPI_COMM_WORLD;
  int next = (rank + 1) % ranks, previous = (rank + ranks - 1) % ranks;
  switch (op) {
    case ALL_REDUCE:
      MPI_Allreduce(in_place ? MPI_IN_PLACE : send_buffer, recv_buffer, count, type, redop, world);
      break;
    case BROADCAST:
      MPI_Bcast(recv_buffer, count, type, root, world);
      break;
    case REDUCE:
      MPI_Reduce(rank == root ? MPI_IN_PLACE : recv_buffer, recv_buffer, count, type, redop, root, world);
      break;
    case ALL_GATHER:
      MPI_Allgather(in_place ? MPI_IN_PLACE : send_buffer, count, type, recv_buffer, count, type, world);
      break;
    case REDUCE_SCATTER:
      MPI_Reduce_scatter_block(in_place ? MPI_IN_PLACE : send_buffer,
                               in_place ? send_buffer : recv_buffer, count, type, redop, world);
      break;
    case ALL_TO_ALL:
      MPI_Alltoall(send_buffer, count, type, recv_buffer, count, type, world);
      break;
    case GATHER:
      MPI_Gather(in_place && rank == root ? MPI_IN_PLACE : send_buffer, count, type, recv_buffer,
                 count, type, root, world);
      break;
    case SCATTER:
      MPI_Scatter(send_buffer, count, type, in_place && rank == root ? MPI_IN_PLACE : recv_buffer,
                  count, type, root, world);
      break;
    case SEND_RECV:
      MPI_Sendrecv(send_buffer, count, type, next, 0, recv_buffer, count, type, previous, 0, world,
                   MPI_STATUS_IGNORE);
      break;
    default:
      MPI_Barrier(world);
  }
}

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static double most(double mine) {
  double all;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

static double slowest(int iterations) {
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = now_us();
  for (int i = 0; i < iterations; i++) once();
  return fmax(most((now_us() - begin) / iterations), 1e-3);
}

static void samples(double *into, int n, int group) {
  double before = now_us();
  for (int s = 0; s < n; s++) {
    for (int i = 0; i < group; i++) once();
    double now = now_us();
    into[s] = (now - before) / group;
    before = now;
  }
}

static double clamp(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

static double warm(int first) {
  int fixed = (int) number("warmup");
  if (fixed >= 0) return slowest(fixed > 0 ? fixed : 1);
  double least = first ? number("first_least_us") : number("least_us");
  double enough = first ? number("first_most_us") : number("most_us");
  double batch = number("batch_us"), agreement = number("agreement"), limit = number("most_iterations");
  double spent = 0, before = 0 /* which nothing agrees with */, best = INFINITY;
  int iterations = 1;
  for (;;) {
    double each = slowest(iterations);
    spent += fmin(each * iterations, number("batch_most_us"));
    int whole = each * iterations >= batch / 2 || iterations == (int) limit;
    int agree = fabs(each - before) <= agreement * before;
    if (whole) best = fmin(best, each);
    if (spent >= enough || (whole && agree && spent >= least)) return clamp(best, each / 10, each);
    before = whole ? each : 0;
    if (!whole) iterations = (int) fmin(fmax(fmin(batch / each, 10.0 * iterations), iterations + 1), limit);
  }
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

static double percentile(const double *sorted, int n, int percent) {
  int nth = (int) (((long) n * percent + 99) / 100);
  return sorted[nth > 1 ? nth - 1 : 0];
}

static void measure(long bytes, double *times, int first) {
  once();
  double each = warm(first);
  double time = number("time_us"), part = number("batch_part"), least = number("least_iterations");
  int fixed = (int) number("iterations");
  int most_samples = (int) number("most_samples");
  int iterations = fixed > 0 ? fixed : (int) clamp(time * part / each, least, number("most_iterations"));
  double average = slowest(iterations);
  int group = (int) clamp(ceil(number("sample_us") / average), 1, number("most_iterations"));
  int n = fixed > 0 ? (int) clamp(fixed / group, 1, most_samples)
                    : (int) clamp(time * (1 - part) / (average * group), least, most_samples);
  samples(times, n < 100 ? n : 100, group);
  MPI_Barrier(MPI_COMM_WORLD);
  samples(times, n, group);
  qsort(times, n, sizeof *times, ascending);
  double min = most(times[0]), p50 = most(percentile(times, n, 50)), p99 = most(percentile(times, n, 99));
  if (rank) return;
  printf("{\"bench\":\"measured\",\"bytes\":%ld,\"count\":%d,\"in_place\":%s,\"iterations\":%d,\"group\":%d,"
         "\"time_us\":{\"avg\":%.6f,\"min\":%.6f,\"p50\":%.6f,\"p99\":%.6f}}\n",
         bytes, count, in_place ? "true" : "false", iterations, group, average, min, p50, p99);
  fflush(stdout);
}

/* Written to, so that every page is there. */
static void *memory(size_t bytes) {
  size_t whole = (bytes / 4096 + 1) * 4096;
  void *result = aligned_alloc(4096, whole);
  if (!result) MPI_Abort(MPI_COMM_WORLD, 3);
  return memset(result, 0, whole);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  argc_ = argc;
  argv_ = argv;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (op = 0; op < OPS && strcmp(OP[op].name, text("op")); op++) {}
  if (op == OPS) MPI_Abort(MPI_COMM_WORLD, 2);
  int width = (int) number("width");
  root = (int) number("root");
  type = type_of(text("dtype"), width);
  redop = redop_of(text("redop"));
  if (!rank) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    printf("{\"bench\":\"started\",\"ranks\":%d,\"library\":\"%.*s\"}\n", ranks,
           (int) strcspn(version, ",\"\\\n"), version);
    fflush(stdout);
  }
  long sections = OP[op].sections ? ranks : 1;
  long last = -1, largest = 0;
  for (const char *at = text("bytes"); *at; at += *at == ',') {
    largest = strtol(at, (char **) &at, 10);
  }
  size_t room = (size_t) largest + (size_t) ranks * width;
  send_buffer = memory(room);
  recv_buffer = memory(room);
  double *times = memory((size_t) number("most_samples") * sizeof *times);
  for (const char *at = text("bytes"); *at; at += *at == ',') {
    long elements = strtol(at, (char **) &at, 10) / (width * sections);
    if (elements < 1) elements = 1;
    if (op == BARRIER) elements = 0;
    if (elements == last) continue;
    int first = last < 0;
    last = elements;
    if (elements > INT_MAX) {
      if (!rank) printf("{\"bench\":\"note\",\"text\":\"more than %d elements are left out\"}\n", INT_MAX);
      break;
    }
    count = (int) elements;
    for (in_place = 0; in_place < 2; in_place++) {
      if (OP[op].forms & (in_place ? 2 : 1)) measure(elements * sections * width, times, first);
    }
  }
  MPI_Finalize();
  return 0;
}
