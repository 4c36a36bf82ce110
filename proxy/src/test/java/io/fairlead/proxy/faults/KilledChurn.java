package io.fairlead.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/// Kills processes that write plan after plan, each at whatever it is doing then.
///
/// @param mostPlans before its end a process writes fewer than that, beside those asked for
/// @param mostNanos and works for less than that at the next ones
/// @param random chooses both, and whether only the process itself is killed or what it has started
///   too
public record KilledChurn(
    String mode, NetworkNamespace node, int mostPlans, int mostNanos, Random random) {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /// @param before the last plan known to be written; the process begins with the next
  /// @param least how many plans it writes at least
  /// @return the last plan now known to be written; the one after may be there as well
  public int runAndKill(int before, int least) throws IOException, InterruptedException {
    int plans = least + random.nextInt(mostPlans);
    int nanos = random.nextInt(mostNanos);
    boolean alone = random.nextBoolean();
    Process process =
        new ProcessBuilder(ChurnProcess.command(mode, node.name(), before + 1))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int last = before;
    try (BufferedReader reader = process.inputReader()) {
      for (int i = 0; i < plans; i++) {
        String line = reader.readLine();
        assertThat(line).as("the process ended by itself").isNotNull();
        last = Integer.parseInt(line);
      }
      LockSupport.parkNanos(nanos);
      if (!alone) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
      }
      // Through its handle: that way what it printed can still be read.
      process.toHandle().destroyForcibly();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.matches("\\d+")) {
          last = Math.max(last, Integer.parseInt(line));
        }
      }
    }
    process.waitFor();
    // A tool it left behind may still be writing.
    await().atMost(LIMIT).until(() -> processesInside().isBlank());
    return last;
  }

  private String processesInside() {
    return CommandRunner.here(LIMIT).run("", List.of("ip", "netns", "pids", node.name())).output();
  }
}
