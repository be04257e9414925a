package dev.jcomms.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the typed faces show the dispatcher, read from their code. */
final class OpsTest {
  private static final ClassDesc TENSOR = ClassDesc.of("dev.jcomms.tensor.Tensor");
  private static final ClassDesc LIST = ConstantDescs.CD_List;

  private int faces;

  /** A tensor that is not shown would be left out of the choice of device and of the graph. */
  @Test
  void everyFaceShowsAllItsTensorsToTheDispatcher() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Class<?> c = Ops.class; c != Object.class; c = c.getSuperclass()) {
      try (InputStream in = c.getResourceAsStream(c.getSimpleName() + ".class")) {
        for (MethodModel method : ClassFile.of().parse(in.readAllBytes()).methods()) {
          check(c, method, wrong);
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(faces).isGreaterThan(100);
  }

  private void check(Class<?> owner, MethodModel method, List<String> wrong) {
    if (method.code().isEmpty()) {
      return;
    }
    MethodTypeDesc shown = null;
    for (CodeElement element : method.code().get()) {
      if (!(element instanceof InvokeInstruction call)) {
        continue;
      }
      ClassEntry called = call.owner();
      if (called.asInternalName().endsWith("/Operator")) {
        shown = call.typeSymbol();
      } else if (call.name().equalsString("invokeExact")) {
        faces++;
        if (shown == null || !fits(shown, call.typeSymbol())) {
          wrong.add(owner.getSimpleName() + "." + method.methodName() + call.typeSymbol());
        }
        shown = null;
      }
    }
  }

  private static boolean fits(MethodTypeDesc shown, MethodTypeDesc passed) {
    long tensors = count(passed, TENSOR);
    long lists = count(passed, LIST);
    if (shown.parameterCount() == 1 && shown.parameterType(0).isArray()) {
      return tensors > 3 || lists > 0; // all of them, whatever they are
    }
    return count(shown, TENSOR) == tensors && count(shown, LIST) == lists;
  }

  private static long count(MethodTypeDesc type, ClassDesc parameter) {
    return type.parameterList().stream().filter(parameter::equals).count();
  }
}
