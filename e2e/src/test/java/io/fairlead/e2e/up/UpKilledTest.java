package io.fairlead.e2e.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fairlead.api.json.Json;
import io.fairlead.kernel.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node whose process ends without a word, or by a signal.
@Tag("system")
class UpKilledTest {
  @TempDir Path home;
  private Machine machine;
  private String before;

  @BeforeEach
  void build() throws IOException {
    assumeThat(Machine.kubectl()).as("kubectl is installed").isPresent();
    machine = new Machine(home);
    before = machine.state();
  }

  @AfterEach
  void remove() {
    if (machine != null) {
      machine.fairlead("down", "--purge", "--data-dir=" + machine.data());
      machine.close();
    }
  }

  private ProcessHandle process() throws IOException {
    byte[] record = Files.readAllBytes(machine.data().resolve("instance.json"));
    return ProcessHandle.of(Json.parseObject(record).path("pid").asLong(0)).orElseThrow();
  }

  private void kill() throws Exception {
    ProcessHandle process = process();
    process.destroyForcibly();
    process.onExit().get();
  }

  private void downLeavesNothing() {
    Tool.Result down = machine.fairlead("down", "--data-dir=" + machine.data());
    Machine.must(down);
    assertThat(down.output()).contains("✓ ruleset equals the one before `up`");
    assertThat(machine.state()).isEqualTo(before);
  }

  @Test
  void afterAKillUpGoesOnAndDownStillKnowsHowItWas() throws Exception {
    Machine.must(machine.up("--proxy-mode=iptables"));
    Hostnames hostnames = new Hostnames(machine);
    hostnames.apply();
    hostnames.awaitAll(hostnames.address());
    kill();
    assertThat(machine.state()).as("a killed process leaves its rules").isNotEqualTo(before);
    Machine.must(machine.up());
    hostnames.awaitAll(hostnames.address());
    kill();
    downLeavesNothing();
  }

  @Test
  void aSignalLeavesTheRulesAndDownTakesThemAway() throws Exception {
    Machine.must(machine.up());
    ProcessHandle process = process();
    process.destroy();
    process.onExit().get();
    assertThat(machine.output("nft", "list", "tables")).contains("fairlead-proxy");
    downLeavesNothing();
  }
}
