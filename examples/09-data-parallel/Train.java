import module dev.jcomms;

/*
 * 09 Data-parallel training: one model on every rank, each with its own part of the data.
 *
 *   ./jcomms run -n 4 examples/09-data-parallel/Train.java
 *   ./jcomms run -n 4 examples/09-data-parallel/Train.java --svg loss.svg
 *
 * Two models learn to tell pictures of four kinds of stripes apart: a network of two layers, and a
 * small convolutional one. Every step takes 64 new pictures; a rank sees only its share of them.
 * Then rank 0 trains once more, alone, with all pictures: what comes out is the same.
 */
static final int STEPS = 50;
static final int BATCH = 64;
static final int SIDE = 8; // of a picture
static final int KINDS = 4;

void main(String... args) throws IOException {
  Map<String, double[]> curves = new LinkedHashMap<>();
  try (Comm comm = Comm.newComm()) {
    if (BATCH % comm.size() != 0) {
      throw new IllegalArgumentException(BATCH + " pictures cannot be shared by " + comm.size());
    }
    for (Model model : List.of(new Mlp(), new ConvNet())) {
      curves.put(model.name(), show(comm, model));
    }
    if (comm.rank() == 0 && args.length == 2 && args[0].equals("--svg")) {
      Files.writeString(Path.of(args[1]), svg(curves));
    }
  }
}

/* A model is a function of its parameters: no classes of layers are needed. */
interface Model {
  String name();

  Map<String, Tensor> parameters(Random random);

  Tensor forward(Map<String, Tensor> p, Tensor pictures);
}

record Mlp() implements Model {
  public String name() {
    return "mlp";
  }

  public Map<String, Tensor> parameters(Random random) {
    Map<String, Tensor> p = new LinkedHashMap<>();
    p.put("hidden.weight", weight(random, 32, SIDE * SIDE));
    p.put("hidden.bias", Tensor.zeros(Shape.of(32)).requiresGrad(true));
    p.put("out.weight", weight(random, KINDS, 32));
    p.put("out.bias", Tensor.zeros(Shape.of(KINDS)).requiresGrad(true));
    return p;
  }

  public Tensor forward(Map<String, Tensor> p, Tensor pictures) {
    Tensor x = Ops.reshape(pictures, -1, SIDE * SIDE);
    Tensor hidden = Ops.relu(Ops.linear(x, p.get("hidden.weight"), p.get("hidden.bias")));
    return Ops.linear(hidden, p.get("out.weight"), p.get("out.bias"));
  }
}

record ConvNet() implements Model {
  private static final long[] ONE = {1, 1};
  private static final long[] TWO = {2, 2};
  private static final long[] NONE = {0, 0};

  public String name() {
    return "convnet";
  }

  public Map<String, Tensor> parameters(Random random) {
    Map<String, Tensor> p = new LinkedHashMap<>();
    p.put("conv.weight", weight(random, 8, 1, 3, 3));
    p.put("conv.bias", Tensor.zeros(Shape.of(8)).requiresGrad(true));
    p.put("out.weight", weight(random, KINDS, 8 * (SIDE / 2) * (SIDE / 2)));
    p.put("out.bias", Tensor.zeros(Shape.of(KINDS)).requiresGrad(true));
    return p;
  }

  public Tensor forward(Map<String, Tensor> p, Tensor pictures) {
    Tensor x = Ops.conv2d(pictures, p.get("conv.weight"), p.get("conv.bias"), ONE, ONE, ONE, 1);
    x = Ops.maxPool2d(Ops.relu(x), TWO, TWO, NONE, ONE, false);
    x = Ops.reshape(x, x.shape().size(0), -1);
    return Ops.linear(x, p.get("out.weight"), p.get("out.bias"));
  }
}

/* As PyTorch's layers begin: between plus and minus one by the root of what comes in. */
static Tensor weight(Random random, long... sizes) {
  Tensor t = Tensor.zeros(Shape.of(sizes));
  double bound = Math.sqrt((double) sizes[0] / t.elements());
  Tensor flat = t.view(-1);
  for (long i = 0; i < t.elements(); i++) {
    flat.set(bound * (2 * random.nextDouble() - 1), i);
  }
  return t.requiresGrad(true);
}

/* The pictures of one step: stripes of a kind, somewhere, in noise. All ranks could make them all. */
record Batch(Tensor pictures, Tensor kinds) {
  static Batch of(int step) {
    Random random = new Random(1000 + step);
    float[] pixels = new float[BATCH * SIDE * SIDE];
    long[] kinds = new long[BATCH];
    for (int b = 0; b < BATCH; b++) {
      kinds[b] = random.nextInt(KINDS);
      int shift = random.nextInt(4);
      for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
          int along =
              switch ((int) kinds[b]) {
                case 0 -> x;
                case 1 -> y;
                case 2 -> x + y;
                default -> x - y + SIDE;
              };
          float stripe = (along + shift) % 4 < 2 ? 1 : -1;
          pixels[(b * SIDE + y) * SIDE + x] = stripe + (float) random.nextGaussian();
        }
      }
    }
    Shape shape = Shape.of(BATCH, 1, SIDE, SIDE);
    return new Batch(Tensor.zeros(shape).copyFrom(Tensor.wrap(pixels, shape)), Tensor.of(kinds));
  }

  Batch part(int i, int parts) {
    int size = BATCH / parts;
    return new Batch(pictures.narrow(0, i * size, size), kinds.narrow(0, i * size, size));
  }
}

static Tensor loss(Model model, Map<String, Tensor> p, Batch batch) {
  Tensor scores = model.forward(p, batch.pictures());
  return Ops.crossEntropyLoss(scores, batch.kinds());
}

/*
 * On all ranks. Each begins with numbers of its own; DataParallel gives all of them those of rank 0,
 * and when backward() returns, every gradient is the average over the ranks.
 */
double[] train(Comm comm, Model model, Map<String, Tensor> p) {
  double[] curve = new double[STEPS];
  Optimizer optimizer = Sgd.newBuilder(p.values()).lr(0.05).momentum(0.9).build();
  try (var _ = DataParallel.over(comm, p)) {
    for (int step = 0; step < STEPS; step++) {
      optimizer.zeroGrad();
      Tensor loss = loss(model, p, Batch.of(step).part(comm.rank(), comm.size()));
      loss.backward();
      optimizer.step();
      Tensor mean = loss.detach().copy();
      comm.allReduce(mean, ReduceOp.AVG);
      curve[step] = mean.getDouble();
    }
  }
  return curve;
}

/* By this rank alone, in one pass or in as many as there were ranks; their order is the only difference. */
double[] alone(Model model, Map<String, Tensor> p, int parts) {
  double[] curve = new double[STEPS];
  Optimizer optimizer = Sgd.newBuilder(p.values()).lr(0.05).momentum(0.9).build();
  for (int step = 0; step < STEPS; step++) {
    optimizer.zeroGrad();
    for (int i = 0; i < parts; i++) {
      Tensor loss = loss(model, p, Batch.of(step).part(i, parts));
      loss.backward();
      curve[step] += loss.getDouble() / parts;
    }
    for (Tensor parameter : p.values()) {
      Ops.div_(parameter.grad(), Scalar.of((long) parts));
    }
    optimizer.step();
  }
  return curve;
}

double[] show(Comm comm, Model model) {
  Map<String, Tensor> p = model.parameters(new Random(comm.rank()));
  double[] curve = train(comm, model, p);
  List<String> ends = comm.allGatherObject(bits(p), Codecs.STRING);
  if (comm.rank() == 0) {
    Map<String, Tensor> whole = model.parameters(new Random(0));
    double[] wholeCurve = alone(model, whole, 1);
    Map<String, Tensor> summed = model.parameters(new Random(0));
    alone(model, summed, comm.size());
    say(comm, model, "loss %.4f to %.4f", curve[0], curve[STEPS - 1]);
    say(comm, model, "%s", line(curve));
    say(comm, model, "ranks end with equal bits: %s", ends.stream().distinct().count() == 1);
    say(
        comm,
        model,
        "one process, whole batches: the same within 1e-6: %s (%.1e)",
        distance(p, whole) < 1e-6,
        distance(p, whole));
    say(comm, model, "  and its losses: %s", distance(curve, wholeCurve) < 1e-6);
    say(comm, model, "one process, the ranks' sums: bit for bit: %s", bits(p).equals(bits(summed)));
  }
  return curve;
}

static String bits(Map<String, Tensor> p) {
  StringBuilder text = new StringBuilder();
  p.forEach((name, t) -> text.append(name).append(Arrays.toString(t.detach().toFloatArray())));
  return text.toString();
}

static double distance(Map<String, Tensor> a, Map<String, Tensor> b) {
  double most = 0;
  for (String name : a.keySet()) {
    most =
        Math.max(
            most,
            distance(a.get(name).detach().toDoubleArray(), b.get(name).detach().toDoubleArray()));
  }
  return most;
}

static double distance(double[] a, double[] b) {
  double most = 0;
  for (int i = 0; i < a.length; i++) {
    most = Math.max(most, Math.abs(a[i] - b[i]));
  }
  return most;
}

/* The curve in one line of text. */
static String line(double[] curve) {
  double top = Arrays.stream(curve).max().orElseThrow();
  StringBuilder line = new StringBuilder();
  for (double value : curve) {
    line.append("▁▂▃▄▅▆▇█".charAt((int) Math.min(7, 8 * value / top)));
  }
  return line.toString();
}

/* All curves in one picture that needs nothing else. */
static String svg(Map<String, double[]> curves) {
  StringBuilder svg =
      new StringBuilder(
          "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 640 360' font-family='sans-serif'"
              + " font-size='13'><rect width='640' height='360' fill='white'/>"
              + "<path d='M50 20V320H620' fill='none' stroke='#888'/>"
              + "<text x='335' y='348' text-anchor='middle'>step</text><text x='12' y='30'>loss</text>");
  String[] colors = {"#1f6feb", "#d1242f", "#1a7f37"};
  double top = curves.values().stream().flatMapToDouble(Arrays::stream).max().orElseThrow();
  int n = 0;
  for (var entry : curves.entrySet()) {
    String color = colors[n++ % colors.length];
    StringBuilder points = new StringBuilder();
    double[] curve = entry.getValue();
    for (int i = 0; i < curve.length; i++) {
      points.append(
          String.format(
              Locale.ROOT,
              "%.1f,%.1f ",
              50 + 570.0 * i / (curve.length - 1),
              320 - 300 * curve[i] / top));
    }
    svg.append(
        "<polyline points='%s' fill='none' stroke='%s' stroke-width='2'/>"
            .formatted(points.toString().strip(), color));
    svg.append(
        "<text x='540' y='%d' fill='%s'>%s</text>".formatted(20 + 18 * n, color, entry.getKey()));
  }
  return svg.append("</svg>\n").toString();
}

static void say(Comm comm, Model model, String what, Object... values) {
  IO.println(
      "rank %d/%d: %s: %s"
          .formatted(
              comm.rank(), comm.size(), model.name(), String.format(Locale.ROOT, what, values)));
}
