package io.fairlead.policy.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.policy.core.PolicyPlan;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// PF1: a process that is killed at any moment leaves a plan that was current, whole.
@Tag("system")
class LiveKilledTest {
  private static final IpAddress.Family IPV4 = IpAddress.Family.IPV4;

  /// More by hand: `-Dfairlead.policy.kills=500`.
  private static final int KILLS = Integer.getInteger("fairlead.policy.kills", 3);

  private static final int MOST_CHANGES = 200;

  private static NetworkNamespace namespace;

  @BeforeAll
  static void build() {
    namespace = NetworkNamespace.create("flp" + ProcessHandle.current().pid() + "kill");
  }

  @AfterAll
  static void remove() {
    namespace.delete();
  }

  @Test
  void pf1AKilledProcessLeavesAWholePlanAndTheNextGoesOn() throws Exception {
    Random random = new Random(1);
    int number = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      int acknowledged = runAndKill(number, 1 + random.nextInt(MOST_CHANGES));
      assertThat(acknowledged).as("it has gone on").isGreaterThan(number);
      try (KernelPolicyTable table =
          namespace.call(() -> KernelPolicyTable.open(IPV4, PolicyChurn.settings()))) {
        PolicyPlan left = table.installed(IPV4);
        // The last transaction was acknowledged, or is in the kernel and was not printed any more.
        assertThat(
                left.samePlan(PolicyChurn.plan(acknowledged))
                    || left.samePlan(PolicyChurn.plan(acknowledged + 1)))
            .as("after change " + acknowledged)
            .isTrue();
      }
      number = acknowledged;
    }
    assertThat(PolicyLab.run(namespace, "nft list table ip fairlead-policy").succeeded()).isTrue();
  }

  /// @return the last number it printed
  private static int runAndKill(int first, int changes) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "ip",
                "netns",
                "exec",
                namespace.name(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                PolicyChurn.class.getName(),
                Integer.toString(first))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int last = first;
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        last = Integer.parseInt(line);
        if (last == first + changes) {
          // Of the handle: what it printed before stays readable.
          assertThat(process.toHandle().destroyForcibly()).isTrue();
        }
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    return last;
  }
}
