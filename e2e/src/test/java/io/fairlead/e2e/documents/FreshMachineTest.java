package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fairlead.e2e.Repository;
import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the README asks of a machine is all it needs: on a Debian root with its essential packages
/// and a JDK, the program builds and starts, and a Service answers.
@Tag("system")
@Tag("slow")
class FreshMachineTest {
  /// What `bin/fresh` ends with where there are no packages to make a machine of.
  private static final int NO_PACKAGES = 75;

  private static final int PATIENCE_MINUTES = 20;

  @TempDir Path directory;

  @Test
  void theFirstCommandsNeedNothingElse() throws Exception {
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
        "only root makes machines");
    assumeTrue(CommandRunner.find("mmdebstrap").isPresent(), "mmdebstrap is not installed");
    assumeTrue(
        System.getenv("FAIRLEAD_TEST_KUBECTL") != null || CommandRunner.find("kubectl").isPresent(),
        "kubectl is not installed");
    assumeTrue(Files.exists(Repository.root().resolve(".git")), "this is no clone");
    Path said = directory.resolve("said");
    int exit = run(said);
    String output = Files.readString(said);
    if (exit == NO_PACKAGES) {
      abort(output);
    }
    assertThat(exit).as(output).isZero();
    assertThat(output)
        .containsSubsequence(
            "$ ./fairlead version",
            "Building Fairlead",
            "$ ./fairlead up",
            "✓ node agent",
            "$ a question to the Service",
            "hostnames-",
            "$ ./fairlead down --purge",
            "✓ ruleset equals the one before `up`",
            "fresh: all succeeded");
  }

  private static int run(Path output) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(Repository.root().resolve("bin/fresh").toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    process.getOutputStream().close();
    if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    return process.exitValue();
  }
}
