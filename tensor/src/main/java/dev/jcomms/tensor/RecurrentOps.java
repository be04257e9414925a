package dev.jcomms.tensor;

import dev.jcomms.tensor.dispatch.Operator;
import java.util.List;

/** Of {@link Ops}: recurrent networks. */
abstract sealed class RecurrentOps extends RankOps permits FactorOps {
  private static final Operator LSTM_INPUT = operator("aten::lstm.input");
  private static final Operator GRU_INPUT = operator("aten::gru.input");
  private static final Operator RNN_TANH_INPUT = operator("aten::rnn_tanh.input");
  private static final Operator RNN_RELU_INPUT = operator("aten::rnn_relu.input");
  private static final Operator LSTM_CELL = operator("aten::lstm_cell");
  private static final Operator GRU_CELL = operator("aten::gru_cell");
  private static final Operator RNN_TANH_CELL = operator("aten::rnn_tanh_cell");
  private static final Operator RNN_RELU_CELL = operator("aten::rnn_relu_cell");

  RecurrentOps() {}

  public static Tensor[] lstm(
      Tensor input,
      List<Tensor> hx,
      List<Tensor> params,
      boolean hasBiases,
      long numLayers,
      double dropout,
      boolean train,
      boolean bidirectional,
      boolean batchFirst) {
    try {
      return (Tensor[])
          LSTM_INPUT
              .kernelForAll(input, hx, params)
              .invokeExact(
                  input,
                  hx,
                  params,
                  hasBiases,
                  numLayers,
                  dropout,
                  train,
                  bidirectional,
                  batchFirst);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] gru(
      Tensor input,
      Tensor hx,
      List<Tensor> params,
      boolean hasBiases,
      long numLayers,
      double dropout,
      boolean train,
      boolean bidirectional,
      boolean batchFirst) {
    try {
      return (Tensor[])
          GRU_INPUT
              .kernelForAll(input, hx, params)
              .invokeExact(
                  input,
                  hx,
                  params,
                  hasBiases,
                  numLayers,
                  dropout,
                  train,
                  bidirectional,
                  batchFirst);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] rnnTanh(
      Tensor input,
      Tensor hx,
      List<Tensor> params,
      boolean hasBiases,
      long numLayers,
      double dropout,
      boolean train,
      boolean bidirectional,
      boolean batchFirst) {
    try {
      return (Tensor[])
          RNN_TANH_INPUT
              .kernelForAll(input, hx, params)
              .invokeExact(
                  input,
                  hx,
                  params,
                  hasBiases,
                  numLayers,
                  dropout,
                  train,
                  bidirectional,
                  batchFirst);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] rnnRelu(
      Tensor input,
      Tensor hx,
      List<Tensor> params,
      boolean hasBiases,
      long numLayers,
      double dropout,
      boolean train,
      boolean bidirectional,
      boolean batchFirst) {
    try {
      return (Tensor[])
          RNN_RELU_INPUT
              .kernelForAll(input, hx, params)
              .invokeExact(
                  input,
                  hx,
                  params,
                  hasBiases,
                  numLayers,
                  dropout,
                  train,
                  bidirectional,
                  batchFirst);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor[] lstmCell(
      Tensor input, List<Tensor> hx, Tensor wIh, Tensor wHh, Tensor bIh, Tensor bHh) {
    try {
      return (Tensor[])
          LSTM_CELL
              .kernelForAll(input, wIh, wHh, bIh, bHh, hx)
              .invokeExact(input, hx, wIh, wHh, bIh, bHh);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor gruCell(
      Tensor input, Tensor hx, Tensor wIh, Tensor wHh, Tensor bIh, Tensor bHh) {
    try {
      return (Tensor)
          GRU_CELL
              .kernelForAll(input, hx, wIh, wHh, bIh, bHh)
              .invokeExact(input, hx, wIh, wHh, bIh, bHh);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor rnnTanhCell(
      Tensor input, Tensor hx, Tensor wIh, Tensor wHh, Tensor bIh, Tensor bHh) {
    try {
      return (Tensor)
          RNN_TANH_CELL
              .kernelForAll(input, hx, wIh, wHh, bIh, bHh)
              .invokeExact(input, hx, wIh, wHh, bIh, bHh);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }

  public static Tensor rnnReluCell(
      Tensor input, Tensor hx, Tensor wIh, Tensor wHh, Tensor bIh, Tensor bHh) {
    try {
      return (Tensor)
          RNN_RELU_CELL
              .kernelForAll(input, hx, wIh, wHh, bIh, bHh)
              .invokeExact(input, hx, wIh, wHh, bIh, bHh);
    } catch (Throwable t) {
      throw rethrow(t);
    }
  }
}
