package dev.jcomms.jccl.plan;

final class Json {
  private Json() {}

  static String path(String parent, String key) {
    return parent.isEmpty() ? key : parent + "." + key;
  }
}
