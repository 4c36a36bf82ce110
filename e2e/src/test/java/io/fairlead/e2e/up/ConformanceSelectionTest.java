package io.fairlead.e2e.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fairlead.e2e.FairleadCli;
import io.fairlead.e2e.Repository;
import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A few of Kubernetes' own conformance tests, those that need no pod, by `bin/conformance`.
@Tag("system")
@Tag("slow")
class ConformanceSelectionTest {
  /// What `bin/conformance` ends with where Kubernetes' tests are missing.
  private static final int NO_TESTS = 75;

  private static final int PATIENCE_MINUTES = 10;

  private static final List<String> SELECTION =
      List.of(
          "API Server should provide secure master service",
          "Services should complete a service status lifecycle",
          "Services should find a service from listing all namespaces",
          "Services should delete a collection of services",
          "EndpointSlice should support creating EndpointSlice API operations",
          "EndpointSliceMirroring should mirror a custom Endpoints resource",
          "Endpoints should test the lifecycle of an Endpoint",
          "Ingress API should support creating Ingress API operations",
          "IngressClass API should support creating IngressClass API operations");

  @TempDir Path directory;

  @Test
  void theTestsOfServicesPass() throws Exception {
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
        "only root makes machines");
    assumeTrue(CommandRunner.find("kubectl").isPresent(), "kubectl is not installed");
    Path page = directory.resolve("page.md");
    Path said = directory.resolve("said");
    int exit =
        run(
            said,
            "--runtime",
            "builtin",
            "--page",
            page.toString(),
            "(" + String.join("|", SELECTION) + ").*\\[Conformance\\]");
    String output = Files.readString(said);
    assumeTrue(exit != NO_TESTS, "Kubernetes' tests are not here");
    assertThat(exit).as(output).isZero();
    assertThat(output).contains("passed: " + SELECTION.size() + ", failed: 0");
    assertThat(SELECTION)
        .allSatisfy(name -> assertThat(page).content().contains("- [x] [sig-network] " + name));
    assertThat(page).content().contains("| network | 47 | " + SELECTION.size() + " | 0 | 38 |");
    assertThat(directory.resolve("cluster/a")).as("nothing is left").doesNotExist();
  }

  private int run(Path output, String... words) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(Repository.root().resolve("bin/conformance").toString());
    builder.command().addAll(List.of(words));
    builder
        .environment()
        .putAll(
            Map.of(
                "FAIRLEAD", FairleadCli.launcher(directory).toString(),
                "CONFORMANCE_DIR", directory.resolve("cluster").toString()));
    builder.environment().remove("KUBECONFIG");
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    process.getOutputStream().close();
    if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    return process.exitValue();
  }
}
