package io.fairlead.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `ps -ef` and `pgrep` show of a process that stays: the program and its words, not what the
/// JVM is started with.
@Tag("system")
class ProcessListTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int LONGEST = 1000;

  @TempDir Path home;

  private static String read(long pid, String file) throws IOException {
    return new String(
            Files.readAllBytes(Path.of("/proc/" + pid + "/" + file)), StandardCharsets.UTF_8)
        .replace('\0', ' ')
        .strip();
  }

  private static void isNamed(long pid, String verb) throws IOException {
    assertThat(read(pid, "comm")).isEqualTo("fairlead");
    assertThat(read(pid, "cmdline")).containsPattern("/fairlead @[^ ]+ " + verb + " ");
    assertThat(read(pid, "cmdline").length()).isLessThan(LONGEST);
  }

  @Test
  void aDnsServerShowsItsVerbAndItsCorefile() throws Exception {
    Path corefile =
        Files.writeString(
            home.resolve("Corefile"), ".:" + FairleadCli.freePort() + " {\n whoami\n}\n");
    Process process =
        new ProcessBuilder(
                FairleadCli.launcher(home).toString(), "dns-server", "-conf", corefile.toString())
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("log").toFile())
            .start();
    try {
      await()
          .atMost(LONG)
          .ignoreExceptions()
          .untilAsserted(() -> isNamed(process.pid(), "dns-server"));
      assertThat(read(process.pid(), "cmdline")).endsWith("-conf " + corefile);
    } finally {
      process.destroy();
      process.waitFor();
    }
  }

  @Test
  void whatUpLeavesBehindShowsItsFlags() throws Exception {
    try (FairleadCli cli = new FairleadCli(home)) {
      assertThat(cli.up("--agent=off").exit()).isZero();
      List<Long> instances =
          ProcessHandle.allProcesses()
              .map(ProcessHandle::pid)
              .filter(pid -> mentions(pid, "--data-dir=" + cli.data()))
              .toList();
      assertThat(instances).hasSize(1);
      isNamed(instances.getFirst(), "up");
      cli.down();
    }
  }

  private static boolean mentions(long pid, String words) {
    try {
      return read(pid, "cmdline").contains(words);
    } catch (IOException e) {
      // Ended meanwhile, or not ours to see.
      return false;
    }
  }
}
