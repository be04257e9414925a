package dev.jcomms.tensor.internal.aten;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.Tensor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.ArrayList;
import java.util.List;

/** Recurrent networks: layer by layer, both directions, step by step. */
final class RecurrentOps {
  private static final Lookup LOOKUP = MethodHandles.lookup();

  private RecurrentOps() {}

  static void define(Definitions d) {
    d.op(
            "lstm.input(Tensor input, Tensor[] hx, Tensor[] params, bool has_biases, int"
                + " num_layers, float dropout, bool train, bool bidirectional, bool batch_first) ->"
                + " (Tensor, Tensor, Tensor)")
        .composite(LOOKUP, "lstm");
    d.op(
            "gru.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int"
                + " num_layers, float dropout, bool train, bool bidirectional, bool batch_first) ->"
                + " (Tensor, Tensor)")
        .composite(LOOKUP, "gru");
    d.op(
            "rnn_tanh.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int"
                + " num_layers, float dropout, bool train, bool bidirectional, bool batch_first) ->"
                + " (Tensor, Tensor)")
        .composite(LOOKUP, "rnnTanh");
    d.op(
            "rnn_relu.input(Tensor input, Tensor hx, Tensor[] params, bool has_biases, int"
                + " num_layers, float dropout, bool train, bool bidirectional, bool batch_first) ->"
                + " (Tensor, Tensor)")
        .composite(LOOKUP, "rnnRelu");
    d.op(
            "lstm_cell(Tensor input, Tensor[] hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None,"
                + " Tensor? b_hh=None) -> (Tensor, Tensor)")
        .composite(LOOKUP, "lstmCell");
    d.op(
            "gru_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None,"
                + " Tensor? b_hh=None) -> Tensor")
        .composite(LOOKUP, "gruCell");
    d.op(
            "rnn_tanh_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None,"
                + " Tensor? b_hh=None) -> Tensor")
        .composite(LOOKUP, "rnnTanhCell");
    d.op(
            "rnn_relu_cell(Tensor input, Tensor hx, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None,"
                + " Tensor? b_hh=None) -> Tensor")
        .composite(LOOKUP, "rnnReluCell");
  }

  /** One step: what the input adds to the gates, the state before, and the weights of the state. */
  private interface Step {
    Tensor[] next(Tensor fromInput, Tensor[] state, Tensor weight, Tensor bias);
  }

  private static final Step LSTM =
      (fromInput, state, weight, bias) -> {
        List<Tensor> gates = parts(Ops.add(fromInput, Ops.linear(state[0], weight, bias)), 4);
        Tensor kept = Ops.mul(Ops.sigmoid(gates.get(1)), state[1]);
        Tensor added = Ops.mul(Ops.sigmoid(gates.get(0)), Ops.tanh(gates.get(2)));
        Tensor cell = Ops.add(kept, added);
        return new Tensor[] {Ops.mul(Ops.sigmoid(gates.get(3)), Ops.tanh(cell)), cell};
      };

  private static final Step GRU =
      (fromInput, state, weight, bias) -> {
        List<Tensor> mine = parts(fromInput, 3);
        List<Tensor> before = parts(Ops.linear(state[0], weight, bias), 3);
        Tensor reset = Ops.sigmoid(Ops.add(mine.get(0), before.get(0)));
        Tensor update = Ops.sigmoid(Ops.add(mine.get(1), before.get(1)));
        Tensor fresh = Ops.tanh(Ops.add(mine.get(2), Ops.mul(reset, before.get(2))));
        return new Tensor[] {Ops.add(fresh, Ops.mul(update, Ops.sub(state[0], fresh)))};
      };

  private static final Step TANH =
      (fromInput, state, weight, bias) ->
          new Tensor[] {Ops.tanh(Ops.add(fromInput, Ops.linear(state[0], weight, bias)))};

  private static final Step RELU =
      (fromInput, state, weight, bias) ->
          new Tensor[] {Ops.relu(Ops.add(fromInput, Ops.linear(state[0], weight, bias)))};

  private static List<Tensor> parts(Tensor gates, int count) {
    return Ops.split(gates, gates.shape().size(-1) / count, -1);
  }

  static Tensor[] lstm(
      Tensor input,
      List<Tensor> hx,
      List<Tensor> params,
      boolean biases,
      long layers,
      double dropout,
      boolean train,
      boolean bidirectional,
      boolean batchFirst) {
    if (hx.size() != 2) {
      throw new IllegalArgumentException("lstm: hx must be two tensors, but are " + hx.size());
    }
    Tensor[] state = {hx.get(0), hx.get(1)};
    return run(
        "lstm",
        LSTM,
        4,
        input,
        state,
        params,
        biases,
        layers,
        dropout,
        train,
        bidirectional,
        batchFirst);
  }

  static Tensor[] gru(
      Tensor input,
      Tensor hx,
      List<Tensor> params,
      boolean biases,
      long layers,
      double dropout,
      boolean train,
      boolean bidirectional,
      boolean batchFirst) {
    return run(
        "gru",
        GRU,
        3,
        input,
        new Tensor[] {hx},
        params,
        biases,
        layers,
        dropout,
        train,
        bidirectional,
        batchFirst);
  }

  static Tensor[] rnnTanh(
      Tensor input,
      Tensor hx,
      List<Tensor> params,
      boolean biases,
      long layers,
      double dropout,
      boolean train,
      boolean bidirectional,
      boolean batchFirst) {
    return run(
        "rnn_tanh",
        TANH,
        1,
        input,
        new Tensor[] {hx},
        params,
        biases,
        layers,
        dropout,
        train,
        bidirectional,
        batchFirst);
  }

  static Tensor[] rnnRelu(
      Tensor input,
      Tensor hx,
      List<Tensor> params,
      boolean biases,
      long layers,
      double dropout,
      boolean train,
      boolean bidirectional,
      boolean batchFirst) {
    return run(
        "rnn_relu",
        RELU,
        1,
        input,
        new Tensor[] {hx},
        params,
        biases,
        layers,
        dropout,
        train,
        bidirectional,
        batchFirst);
  }

  /** The outputs of the last layer at every step, and each state at the end. */
  private static Tensor[] run(
      String op,
      Step step,
      int gates,
      Tensor input,
      Tensor[] start,
      List<Tensor> params,
      boolean biases,
      long layers,
      double dropout,
      boolean train,
      boolean bidirectional,
      boolean batchFirst) {
    int directions = bidirectional ? 2 : 1;
    int each = biases ? 4 : 2;
    check(op, input, start, params, layers * directions, each, gates);
    Tensor x = batchFirst ? Ops.transpose(input, 0, 1) : input;
    List<List<Tensor>> ends = new ArrayList<>();
    for (int s = 0; s < start.length; s++) {
      ends.add(new ArrayList<>());
    }
    for (int layer = 0; layer < layers; layer++) {
      List<Tensor> outputs = new ArrayList<>();
      for (int direction = 0; direction < directions; direction++) {
        int at = layer * directions + direction;
        List<Tensor> mine = params.subList(at * each, (at + 1) * each);
        Tensor[] state = new Tensor[start.length];
        for (int s = 0; s < state.length; s++) {
          state[s] = Ops.select(start[s], 0, at);
        }
        Tensor[] found = line(step, x, state, mine, biases, direction == 1);
        outputs.add(found[0]);
        for (int s = 0; s < state.length; s++) {
          ends.get(s).add(found[1 + s]);
        }
      }
      x = directions == 1 ? outputs.getFirst() : Ops.cat(outputs, -1);
      if (train && dropout > 0 && layer + 1 < layers) {
        x = Ops.dropout(x, dropout, true);
      }
    }
    Tensor[] all = new Tensor[1 + start.length];
    all[0] = batchFirst ? Ops.transpose(x, 0, 1) : x;
    for (int s = 0; s < start.length; s++) {
      all[1 + s] = Ops.stack(ends.get(s), 0);
    }
    return all;
  }

  /** One layer in one direction; what the input adds is one product for all steps. */
  private static Tensor[] line(
      Step step, Tensor x, Tensor[] start, List<Tensor> params, boolean biases, boolean back) {
    Tensor fromInput = Ops.linear(x, params.get(0), biases ? params.get(2) : null);
    Tensor weight = params.get(1);
    Tensor bias = biases ? params.get(3) : null;
    int steps = Math.toIntExact(x.shape().size(0));
    Tensor[] outputs = new Tensor[steps];
    Tensor[] state = start;
    for (int i = 0; i < steps; i++) {
      int at = back ? steps - 1 - i : i;
      state = step.next(Ops.select(fromInput, 0, at), state, weight, bias);
      outputs[at] = state[0];
    }
    Tensor[] found = new Tensor[1 + state.length];
    found[0] = Ops.stack(List.of(outputs), 0);
    System.arraycopy(state, 0, found, 1, state.length);
    return found;
  }

  private static void check(
      String op,
      Tensor input,
      Tensor[] start,
      List<Tensor> params,
      long lines,
      int each,
      int gates) {
    if (params.size() != lines * each) {
      throw new IllegalArgumentException(
          op + ": " + params.size() + " params for " + lines + " layers of " + each);
    }
    if (input.shape().dims() != 3 || input.shape().size(0) == 0 || input.shape().size(1) == 0) {
      throw new IllegalArgumentException(
          op + ": input must be steps of a batch, but has shape=" + input.shape());
    }
    for (Tensor s : start) {
      if (s.shape().dims() != 3 || s.shape().size(0) != lines) {
        throw new IllegalArgumentException(
            op + ": a state of shape=" + s.shape() + " must have one for each of " + lines);
      }
    }
  }

  // ---- one step of one layer

  static Tensor[] lstmCell(
      Tensor input, List<Tensor> hx, Tensor wIh, Tensor wHh, Tensor bIh, Tensor bHh) {
    if (hx.size() != 2) {
      throw new IllegalArgumentException("lstm_cell: hx must be two tensors, not " + hx.size());
    }
    checkCell("lstm_cell", input, hx.get(0), wIh, wHh, 4);
    Tensor[] state = {hx.get(0), hx.get(1)};
    return LSTM.next(Ops.linear(input, wIh, bIh), state, wHh, bHh);
  }

  static Tensor gruCell(Tensor input, Tensor hx, Tensor wIh, Tensor wHh, Tensor bIh, Tensor bHh) {
    checkCell("gru_cell", input, hx, wIh, wHh, 3);
    return GRU.next(Ops.linear(input, wIh, bIh), new Tensor[] {hx}, wHh, bHh)[0];
  }

  static Tensor rnnTanhCell(
      Tensor input, Tensor hx, Tensor wIh, Tensor wHh, Tensor bIh, Tensor bHh) {
    checkCell("rnn_tanh_cell", input, hx, wIh, wHh, 1);
    return TANH.next(Ops.linear(input, wIh, bIh), new Tensor[] {hx}, wHh, bHh)[0];
  }

  static Tensor rnnReluCell(
      Tensor input, Tensor hx, Tensor wIh, Tensor wHh, Tensor bIh, Tensor bHh) {
    checkCell("rnn_relu_cell", input, hx, wIh, wHh, 1);
    return RELU.next(Ops.linear(input, wIh, bIh), new Tensor[] {hx}, wHh, bHh)[0];
  }

  private static void checkCell(
      String op, Tensor input, Tensor hx, Tensor wIh, Tensor wHh, int gates) {
    long hidden = hx.shape().dims() == 0 ? 0 : hx.shape().size(-1);
    if (input.shape().dims() != 2
        || hx.shape().dims() != 2
        || input.shape().size(0) != hx.shape().size(0)
        || wIh.shape().dims() != 2
        || input.shape().size(1) != wIh.shape().size(1)
        || wHh.shape().dims() != 2
        || wHh.shape().size(0) != gates * hidden
        || wHh.shape().size(1) != hidden) {
      throw new IllegalArgumentException(
          op
              + ": input of shape="
              + input.shape()
              + " and state of "
              + hx.shape()
              + " do not go with weights of "
              + wIh.shape()
              + " and "
              + wHh.shape());
    }
  }
}
