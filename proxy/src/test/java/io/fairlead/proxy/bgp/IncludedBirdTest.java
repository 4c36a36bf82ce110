package io.fairlead.proxy.bgp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.Cidr;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.SortedSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A BIRD that the machine has already keeps the contract, too, by one file that it includes.
@Tag("system")
class IncludedBirdTest extends BgpEngineContract {
  @TempDir Path directory;
  private BirdNetwork network;
  private IncludedBird engine;

  @BeforeEach
  void build() throws IOException {
    network = new BirdNetwork(directory);
    Files.writeString(
        directory.resolve("machine.conf"),
        """
        router id 192.168.77.11;
        protocol device { }
        protocol bfd { interface "*" { interval 100 ms; multiplier 3; }; }
        include "fairlead*.conf";
        """);
    network.start(network.node, "machine");
    Path socket = directory.resolve("machine.ctl");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> new BirdControl(socket, Ticker.system()).answers());
    engine = new IncludedBird(directory.resolve("fairlead.conf"), socket);
  }

  @AfterEach
  void remove() {
    network.close();
  }

  @Override
  BgpEngine engine() {
    return engine;
  }

  @Override
  SortedSet<Cidr> heard() {
    return network.heard();
  }

  @Test
  void aBirdThatIsGoneDoesNotStopTheEnd() {
    IncludedBird gone =
        new IncludedBird(directory.resolve("fairlead.conf"), directory.resolve("nothing.ctl"));
    engine.apply(
        BgpTestSessions.configuration(BgpTestSessions.session("name: a, address: 192.0.2.1")));
    gone.close();
    assertThat(gone.isActive()).isFalse();
  }

  @Test
  void theFileIsForTheOwnerAndTheGroupThatBirdRunsAs() throws IOException {
    engine.apply(
        BgpTestSessions.configuration(BgpTestSessions.session("name: a, address: 192.0.2.1")));
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve("fairlead.conf"))))
        .isEqualTo("rw-r-----");
  }
}
