package io.fairlead.e2e.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.net.DatagramSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node whose process ends without a word, by a signal, or before it has started; on a machine
/// that is on no network.
@Tag("system")
class UpKilledTest {
  /// The Service `kubernetes`.
  private static final String SERVICE = "https://10.96.0.1";

  // Exit code of curl.
  private static final int COULD_NOT_CONNECT = 7;

  @TempDir Path home;
  private IsolatedMachine machine;
  private String before;

  @BeforeEach
  void build() throws IOException {
    assumeThat(IsolatedMachine.kubectl()).as("kubectl is installed").isPresent();
    machine = new IsolatedMachine(home, false);
    IsolatedMachine.must(machine.run("", "sysctl", "-qw", "net.ipv4.ip_forward=0"));
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
    CommandRunner.Result down = machine.fairlead("down", "--data-dir=" + machine.data());
    IsolatedMachine.must(down);
    assertThat(down.output()).contains("✓ ruleset equals the one before `up`");
    assertThat(machine.state()).isEqualTo(before);
  }

  @Test
  void afterAKillUpGoesOnAlsoOnAnotherAddressAndDownStillKnowsHowItWas() throws Exception {
    IsolatedMachine.must(machine.up("--proxy-mode=iptables"));
    Hostnames hostnames = new Hostnames(machine);
    hostnames.apply();
    hostnames.awaitAll(hostnames.address());
    changesItsMode(hostnames);
    kill();
    assertThat(machine.state()).as("a killed process leaves its rules").isNotEqualTo(before);
    IsolatedMachine.must(machine.up("--bind-address=" + IsolatedMachine.ADDRESS));
    hostnames.awaitAll(hostnames.address());
    servesItsNetwork();
    kill();
    downLeavesNothing();
  }

  /// No route but the node's own leads to Services here: they answer in the new mode too, and a
  /// Service without endpoints refuses at once.
  private void changesItsMode(Hostnames hostnames) {
    String address = hostnames.address();
    for (String mode : List.of("nftables", "iptables")) {
      IsolatedMachine.must(machine.fairlead("mode", mode, "--data-dir=" + machine.data()));
      hostnames.awaitAll(address);
      assertThat(machine.fairlead("status", "--data-dir=" + machine.data()).output())
          .contains("✓ proxy    " + mode);
      hostnames.scale(0);
      await()
          .atMost(IsolatedMachine.LIMIT)
          .until(
              () ->
                  machine.run("", "curl", "-s", "--max-time", "20", address).exit()
                      == COULD_NOT_CONNECT);
      hostnames.scale(3);
      hostnames.awaitAll(address);
    }
    IsolatedMachine.must(machine.run("", "ip", "route", "delete", "10.96.0.0/12"));
    assertThat(machine.fairlead("status", "--data-dir=" + machine.data()).output())
        .contains("✗ proxy    iptables", "(10.96.0.1:443) does not answer on this node");
  }

  /// The API is where the network can reach it, and nowhere else.
  private void servesItsNetwork() {
    String there = "https://" + IsolatedMachine.ADDRESS + ":6443";
    assertThat(machine.fairlead("status", "--data-dir=" + machine.data()).output())
        .contains("✓ api      " + there, "✓ proxy", "✓ dns", "✓ agent");
    assertThat(machine.neighbourGets("-k", there + "/version")).contains("gitVersion");
    assertThat(machine.run("", "curl", "-sk", "https://127.0.0.1:6443/version").exit())
        .as("nobody listens on loopback")
        .isEqualTo(COULD_NOT_CONNECT);
    await()
        .atMost(IsolatedMachine.LIMIT)
        .untilAsserted(
            () -> {
              assertThat(machine.kubectl("", "get", "endpoints", "kubernetes").output())
                  .contains(" " + IsolatedMachine.ADDRESS + ":6443 ");
              assertThat(machine.output("curl", "-sk", "--max-time", "20", SERVICE + "/version"))
                  .contains("gitVersion");
            });
  }

  @Test
  void aSignalLeavesTheRulesAndDownTakesThemAwayWithWhatDoctorSet() throws Exception {
    String doctor = machine.fairlead("doctor", "--fix", "--data-dir=" + machine.data()).output();
    assertThat(doctor).contains("fixed     ✓ net.ipv4.ip_forward=1, was 0; `down` puts it back");
    assertThat(machine.fairlead("doctor", "--fix", "--data-dir=" + machine.data()).output())
        .contains("✓ net.ipv4.ip_forward=1", "nothing to fix");
    IsolatedMachine.must(machine.up());
    ProcessHandle process = process();
    process.destroy();
    process.onExit().get();
    assertThat(machine.output("nft", "list", "tables")).contains("fairlead-proxy");
    downLeavesNothing();
  }

  @Test
  void aStartKilledHalfWayIsSaidAndUndone() throws Exception {
    // Reading this file does not end, and so the start does not.
    Path endless = home.resolve("tokens");
    IsolatedMachine.must(machine.run("", "mkfifo", endless.toString()));
    CompletableFuture<CommandRunner.Result> up =
        CompletableFuture.supplyAsync(() -> machine.up("--token-auth-file=" + endless));
    await().atMost(IsolatedMachine.LIMIT).until(() -> isThere("before.json"));
    assertThat(machine.fairlead("status", "--data-dir=" + machine.data()).output())
        .contains("Starting");
    kill();
    CommandRunner.Result said = up.get();
    assertThat(said.exit()).as(said.output()).isEqualTo(1);
    assertThat(said.output()).contains("(FL206)", "fairlead.log");
    assertThat(machine.fairlead("status", "--data-dir=" + machine.data()).output())
        .contains("is gone without having been stopped");
    String doctor = machine.fairlead("doctor", "--fix", "--data-dir=" + machine.data()).output();
    assertThat(doctor).contains("✓ ruleset equals the one before `up`", "✓ cleaned up after");
    CommandRunner.Result down = machine.fairlead("down", "--data-dir=" + machine.data());
    IsolatedMachine.must(down);
    assertThat(down.output()).contains("nothing to stop", "ip_forward=0");
    assertThat(machine.state()).isEqualTo(before);
  }

  private boolean isThere(String file) {
    return Files.exists(machine.data().resolve(file));
  }

  @Test
  void aNameServerOnAllAddressesIsNamedAndNothingStays() {
    DatagramSocket other = machine.inside(() -> new DatagramSocket(53));
    try {
      CommandRunner.Result up = machine.up();
      assertThat(up.exit()).as(up.output()).isEqualTo(1);
      assertThat(up.output()).contains("(FL210)", "\"DNS\"", "10.96.0.10:53");
      assertThat(machine.state()).isEqualTo(before);
    } finally {
      other.close();
    }
    IsolatedMachine.must(machine.up());
    downLeavesNothing();
  }
}
