package dev.jcomms.cli.info;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import dev.jcomms.cli.Version;
import dev.jcomms.cli.launch.JavaRuntime;
import java.lang.management.ManagementFactory;
import java.lang.module.ModuleFinder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The machine and the Java on it.
 *
 * @param cpu its model, as far as the system tells
 * @param processors that the JVM may use, which a container can limit
 * @param memoryBytes of the machine, or of the container
 * @param heapBytes the most this JVM's heap may grow to
 * @param vectorModule whether this JDK has {@value #VECTOR}
 * @param vectorsForRanks whether ranks that this command starts have the use of it
 * @param vectorBits the widest vectors that this Java compiles for, 0 if it does not say
 */
public record Machine(
    String version,
    String cpu,
    String java,
    String vendor,
    String javaHome,
    String system,
    String architecture,
    int processors,
    long memoryBytes,
    long heapBytes,
    boolean vectorModule,
    boolean vectorsForRanks,
    int vectorBits) {
  static final String VECTOR = "jdk.incubator.vector";

  /** The one this runs on. */
  public static Machine current() {
    boolean vectors = ModuleFinder.ofSystem().find(VECTOR).isPresent();
    return new Machine(
        Version.number(),
        Cpu.model(),
        Runtime.version().toString(),
        System.getProperty("java.vendor"),
        System.getProperty("java.home"),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors(),
        memory(),
        Runtime.getRuntime().maxMemory(),
        vectors,
        vectors && JavaRuntime.current().givesVectors(),
        widestVector());
  }

  private static long memory() {
    var bean = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return bean == null ? 0 : bean.getTotalMemorySize();
  }

  /** The limit of a compiler that this command's own JVM does not run, but knows. */
  private static int widestVector() {
    try {
      var bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return bean == null ? 0 : 8 * Integer.parseInt(bean.getVMOption("MaxVectorSize").getValue());
    } catch (IllegalArgumentException e) {
      return 0; // another JVM, which has no such option
    }
  }

  /** The facts under the names that JSON has for them. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("version", version);
    map.put("cpu", cpu);
    map.put("java", java);
    map.put("java_vendor", vendor);
    map.put("java_home", javaHome);
    map.put("system", system);
    map.put("architecture", architecture);
    map.put("processors", processors);
    map.put("memory_bytes", memoryBytes);
    map.put("heap_bytes", heapBytes);
    map.put("vector_module", vectorModule);
    map.put("vectors_for_ranks", vectorsForRanks);
    map.put("vector_bits", vectorBits);
    return map;
  }
}
