package dev.jcomms.tensor;

/** The element type of a tensor. */
public enum DType {
  F32
}
