package dev.jcomms.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.tensor.Ops;
import dev.jcomms.tensor.dispatch.Operator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleReader;
import java.lang.module.ResolvedModule;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The arrows of the house: modules depend upwards only, faces know no insides, packages no circle.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ArchitectureTest {
  private static final Pattern NAMES = Pattern.compile("(?:^|L)(dev/jcomms/[\\w/$]+)");

  /** The ways from a face into the house: static factories, and the one class each permits. */
  private static final Set<String> DOORS =
      Set.of(
          "dev.jcomms.Comm -> dev.jcomms.internal.CommFactory",
          "dev.jcomms.store.FileStore -> dev.jcomms.internal.store.file.FileClient",
          "dev.jcomms.store.HashStore -> dev.jcomms.internal.store.LocalStore",
          "dev.jcomms.store.TcpStore -> dev.jcomms.internal.store.tcp.TcpClient",
          "dev.jcomms.store.TcpStoreServer -> dev.jcomms.internal.store.tcp.TcpServer");

  /** The ways from a tensor to its operators, and from those to what is built of them. */
  private static final Set<String> TENSOR_DOORS =
      Stream.of(
              "Devices -> dispatch.RegistrationHandle",
              "Devices -> spi.DeviceProvider",
              "Differentiable -> autograd.Gradients",
              "Differentiable -> dispatch.RegistrationHandle",
              "Differentiable -> internal.autograd.Leaves",
              "OperatorCalls -> dispatch.Dispatcher",
              "Printer -> internal.autograd.Leaves",
              "Tensor -> autograd.GradMode",
              "Tensor -> dispatch.RegistrationHandle",
              "Viewing -> dispatch.Dispatcher",
              "internal.Services -> spi.DeviceProvider",
              "internal.Services -> spi.OperatorLibrary",
              "internal.Transfers -> spi.DeviceProvider",
              "autograd.DifferentiableFunction -> internal.autograd.FunctionCalls",
              "autograd.Gradients -> internal.autograd.Passes",
              "dispatch.CalledOperators -> internal.aten.Origins",
              "dispatch.DispatchTable -> autograd.Derivative",
              "dispatch.DispatchTable -> internal.autograd.Recorder",
              "dispatch.Libraries -> autograd.Derivative",
              "dispatch.Libraries -> internal.aten.Aten",
              "dispatch.Libraries -> internal.aten.BuiltIn",
              "dispatch.Libraries -> internal.autograd.formulas.Formulas",
              "dispatch.Library -> autograd.Derivative",
              "dispatch.Operator -> autograd.Derivative",
              "dispatch.Operator -> internal.autograd.Recorder")
          .map(door -> "dev.jcomms.tensor." + door.replace("-> ", "-> dev.jcomms.tensor."))
          .collect(Collectors.toUnmodifiableSet());

  private final Map<String, Set<String>> core = new TreeMap<>();
  private final Map<String, Set<String>> tensor = new TreeMap<>();

  @BeforeAll
  void read() {
    core.putAll(references("dev.jcomms"));
    tensor.putAll(references("dev.jcomms.tensor"));
    assertThat(core).containsKey("dev.jcomms.Comm");
    assertThat(tensor).containsKey("dev.jcomms.tensor.Tensor");
  }

  @Test
  void tensorStandsOnNothing() {
    assertThat(required("dev.jcomms.tensor")).containsExactly("java.base");
  }

  @Test
  void coreStandsOnTensorAndModulesOfTheJdk() {
    assertThat(required("dev.jcomms"))
        .containsExactlyInAnyOrder("java.base", "jdk.jfr", "jdk.net", "dev.jcomms.tensor");
  }

  @Test
  void insidesAreHidden() {
    for (String module : List.of("dev.jcomms", "dev.jcomms.tensor", "dev.jcomms.testkit")) {
      assertThat(descriptor(module).exports())
          .filteredOn(export -> !export.isQualified())
          .extracting(ModuleDescriptor.Exports::source)
          .as("exports of %s", module)
          .noneMatch(name -> isInside(name));
    }
  }

  @Test
  void facesKnowTheInsideByTheirDoorsOnly() {
    assertThat(edges(core))
        .filteredOn(edge -> !isInside(edge.from()) && isInside(edge.to()))
        .extracting(Edge::toString)
        .containsExactlyInAnyOrderElementsOf(DOORS);
  }

  @Test
  void theFaceDoesNotKnowTheSpi() {
    assertThat(edges(core))
        .filteredOn(
            edge ->
                Set.of("dev.jcomms", "dev.jcomms.store").contains(packageOf(edge.from()))
                    && packageOf(edge.to()).equals("dev.jcomms.spi"))
        .isEmpty();
  }

  @Test
  void packagesOfCoreMakeNoCircle() {
    assertThat(circle(core, ArchitectureTest::packageOf, DOORS)).isEmpty();
  }

  /**
   * What a tensor is made of counts as the face, and vectors as the kernels whose twins they are.
   * Kernels know tensors and nothing of operators; operators know kernels. Each family of typed
   * faces is a way to the operators.
   */
  @Test
  void packagesOfTensorMakeNoCircle() {
    Set<String> doors = new HashSet<>(TENSOR_DOORS);
    for (Class<?> face = Ops.class; face != Object.class; face = face.getSuperclass()) {
      doors.add(face.getName() + " -> " + Operator.class.getName());
    }
    assertThat(
            circle(
                tensor, type -> packageOf(type).replaceFirst("\\.internal$|\\.simd$", ""), doors))
        .isEmpty();
  }

  private record Edge(String from, String to) {
    @Override
    public String toString() {
      return from + " -> " + to;
    }
  }

  private static List<Edge> edges(Map<String, Set<String>> references) {
    return references.entrySet().stream()
        .flatMap(entry -> entry.getValue().stream().map(to -> new Edge(entry.getKey(), to)))
        .filter(edge -> references.containsKey(edge.to()))
        .toList();
  }

  private static boolean isInside(String name) {
    return name.contains(".internal");
  }

  private static String packageOf(String type) {
    return type.substring(0, type.lastIndexOf('.'));
  }

  /**
   * A circle of packages once the doors are shut, with a class edge for each step; empty if none.
   */
  private static List<String> circle(
      Map<String, Set<String>> references, UnaryOperator<String> room, Set<String> doors) {
    Map<String, Map<String, Edge>> graph = new TreeMap<>();
    for (Edge edge : edges(references)) {
      String from = room.apply(edge.from());
      String to = room.apply(edge.to());
      if (!from.equals(to) && !doors.contains(edge.toString())) {
        graph.computeIfAbsent(from, _ -> new TreeMap<>()).putIfAbsent(to, edge);
      }
    }
    // A package that leads to none that is left is on no circle.
    while (graph.values().removeIf(to -> to.keySet().stream().noneMatch(graph::containsKey))) {
      // until nothing more goes
    }
    return graph.values().stream()
        .flatMap(to -> to.entrySet().stream())
        .filter(to -> graph.containsKey(to.getKey()))
        .map(to -> to.getValue().toString())
        .toList();
  }

  private static ModuleDescriptor descriptor(String module) {
    return resolved(module).reference().descriptor();
  }

  private static Set<String> required(String module) {
    return descriptor(module).requires().stream()
        .filter(
            requires -> !requires.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
        .map(ModuleDescriptor.Requires::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static ResolvedModule resolved(String module) {
    return ModuleLayer.boot().configuration().findModule(module).orElseThrow();
  }

  /** Every class of a module, and the classes of the project that its bytes name. */
  private static Map<String, Set<String>> references(String module) {
    Map<String, Set<String>> references = new TreeMap<>();
    try (ModuleReader reader = resolved(module).reference().open()) {
      List<String> classes =
          reader.list().filter(name -> name.endsWith(".class") && name.contains("/")).toList();
      for (String name : classes) {
        try (var in = reader.open(name).orElseThrow()) {
          references
              .computeIfAbsent(outer(name.substring(0, name.length() - 6)), _ -> new TreeSet<>())
              .addAll(named(in.readAllBytes()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return references;
  }

  private static Set<String> named(byte[] bytes) {
    Set<String> names = new TreeSet<>();
    for (PoolEntry entry : ClassFile.of().parse(bytes).constantPool()) {
      String text =
          switch (entry) {
            case ClassEntry type -> type.asInternalName();
            case NameAndTypeEntry member -> member.type().stringValue();
            case Utf8Entry utf8 when utf8.stringValue().contains("Ldev/jcomms/") ->
                utf8.stringValue();
            default -> "";
          };
      Matcher matcher = NAMES.matcher(text);
      while (matcher.find()) {
        names.add(outer(matcher.group(1)));
      }
    }
    return names;
  }

  private static String outer(String internalName) {
    String name = internalName.replace('/', '.');
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}
