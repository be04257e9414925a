package dev.jcomms.jccl.internal;

/** The version of this backend: what tuning tables and users are told. */
public final class JcclVersion {
  public static final String TEXT = "0.1.0";

  private JcclVersion() {}
}
