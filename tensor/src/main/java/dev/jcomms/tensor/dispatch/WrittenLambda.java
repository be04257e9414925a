package dev.jcomms.tensor.dispatch;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.invoke.SerializedLambda;

/**
 * What a lambda is made of, as it says when it is about to be written. Reflection could ask it only
 * in modules that are open to this one, and kernels come from modules that are not.
 */
final class WrittenLambda extends ObjectOutputStream {
  private SerializedLambda found;

  private WrittenLambda() throws IOException {
    super(OutputStream.nullOutputStream());
    enableReplaceObject(true);
  }

  /** The description of a lambda; null of anything else. */
  static SerializedLambda of(Serializable lambda) {
    try (WrittenLambda out = new WrittenLambda()) {
      out.writeObject(lambda);
      return out.found;
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  @Override
  protected Object replaceObject(Object object) {
    if (object instanceof SerializedLambda lambda) {
      found = lambda;
    }
    return null; // nothing of it is written
  }
}
