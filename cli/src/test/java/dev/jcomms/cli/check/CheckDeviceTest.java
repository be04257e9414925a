package dev.jcomms.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jcomms.Codecs;
import dev.jcomms.cli.Cli;
import dev.jcomms.tensor.Device;
import dev.jcomms.tensor.Devices;
import dev.jcomms.tensor.Scalar;
import dev.jcomms.tensor.Storage;
import dev.jcomms.tensor.Tensor;
import dev.jcomms.tensor.dispatch.DispatchKey;
import dev.jcomms.tensor.dispatch.Fallbacks;
import dev.jcomms.tensor.dispatch.Library;
import dev.jcomms.tensor.dispatch.RegistrationHandle;
import dev.jcomms.tensor.spi.DeviceProvider;
import dev.jcomms.testkit.Tier;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CheckDeviceTest {
  /** A heap of arrays; everything on it runs on the cpu. */
  private static final class Arrays implements DeviceProvider {
    @Override
    public String type() {
      return "privateuse3";
    }

    @Override
    public int count() {
      return 1;
    }

    @Override
    public Storage allocate(Device device, long bytes) {
      return Storage.opaque(0, bytes, device, new byte[(int) bytes]);
    }

    @Override
    public void upload(MemorySegment from, Storage to, long offset) {
      MemorySegment.copy(from, 0, bytes(to), offset, from.byteSize());
    }

    @Override
    public void download(Storage from, long offset, MemorySegment to) {
      MemorySegment.copy(bytes(from), offset, to, 0, to.byteSize());
    }

    private static MemorySegment bytes(Storage storage) {
      return MemorySegment.ofArray((byte[]) storage.owner());
    }
  }

  private RegistrationHandle provider;
  private RegistrationHandle fallback;

  @BeforeEach
  void register() {
    provider = Devices.register(new Arrays());
    fallback =
        Library.impl("_", DispatchKey.PRIVATE_USE_3, m -> m.fallback(Fallbacks.cpu(_ -> {})));
  }

  @AfterEach
  void unregister() {
    fallback.close();
    provider.close();
  }

  private static Tensor wrongAdd(Tensor self, Tensor other, Scalar alpha) {
    return (Tensor) Fallbacks.onCpu("aten::sub.Tensor", self, other, alpha);
  }

  @Test
  void aRightDevicePasses(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("results.json");
    Cli.Result result =
        Cli.run("check", "--device", "privateuse3", "--filter", "a*d*", "--json", json.toString());
    assertThat(result.status()).as(result.out()).isZero();
    assertThat(result.out())
        .contains("device privateuse3:0 (PrivateUse3), kernels of its own for 0 operators")
        .containsPattern("operators +\\d+ passed")
        .containsPattern("cases +\\d{3,} passed")
        .doesNotContain("failed");
    Map<?, ?> document = (Map<?, ?>) Codecs.JSON.decode(Files.readAllBytes(json));
    assertThat(document.get("status")).isEqualTo(0L);
    assertThat(document.get("failed")).isEqualTo(0L);
    assertThat((List<?>) document.get("results")).hasSizeGreaterThan(5);
  }

  @Test
  void aWrongKernelFailsAndTheCasesAreNamed() {
    try (var _ =
        Library.impl(
            "aten",
            DispatchKey.PRIVATE_USE_3,
            m -> m.impl("add.Tensor", CheckDeviceTest::wrongAdd))) {
      Cli.Result result = Cli.run("check", "-d", "privateuse3:0", "--filter", "add.Tensor");
      assertThat(result.status()).isEqualTo(1);
      assertThat(result.out())
          .contains("kernels of its own for 1 operators", "cases differ from the cpu")
          .containsPattern("(?m)^  add.Tensor\\(f32");
    }
  }

  @Test
  void whatIsBlockedIsNotRun() {
    Cli.Result result =
        Cli.run("check", "--device", "privateuse3", "--filter", "neg", "--block", "neg*", "-v");
    assertThat(result.status()).isZero();
    assertThat(result.out()).containsPattern("skipped neg: 0 cases, \\d+ blocked");
  }

  @Test
  void wrongUsageIsStatusTwo() {
    assertThat(Cli.run("check", "--device", "cpu", "--backend", "fake").status()).isEqualTo(2);
    Cli.Result unknown = Cli.run("check", "--device", "gpu");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err()).contains("--device: device 'gpu': no device type 'gpu'; available: ");
    Cli.Result absent = Cli.run("check", "--device", "privateuse3:7");
    assertThat(absent.status()).isEqualTo(2);
    assertThat(absent.err()).contains("device privateuse3:7 does not exist; available: [cpu, ");
    Cli.Result ranks = Cli.run("check", "--device", "cpu", "-n", "2");
    assertThat(ranks.status()).isEqualTo(2);
    assertThat(ranks.err()).contains("-n has no meaning with --device");
    Cli.Result block = Cli.run("check", "--backend", "fake", "--block", "x");
    assertThat(block.err()).contains("--block has no meaning with --backend");
  }

  @Test
  void aFilterThatMatchesNothingIsNoSuccess() {
    Cli.Result result = Cli.run("check", "--device", "cpu", "--filter", "ad_d");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).contains("no operator has 'ad_d' in its name");
  }

  @Test
  void aPlanIsWrittenAsItsOptions() {
    assertThat(new DevicePlan("tiny:1", Tier.FULL, "add*", true, List.of("*f16*", "mm(*")).words())
        .containsExactly(
            "--device",
            "tiny:1",
            "--tier",
            "full",
            "--filter",
            "add*",
            "--verbose",
            "--block",
            "*f16*",
            "--block",
            "mm(*");
    assertThat(new DevicePlan("cpu", Tier.QUICK, "", false, List.of()).words())
        .containsExactly("--device", "cpu", "--tier", "quick");
  }
}
