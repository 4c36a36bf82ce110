package io.fairlead.proxy.bgp;

import static io.fairlead.proxy.bgp.BgpTestSessions.configuration;
import static io.fairlead.proxy.bgp.BgpTestSessions.session;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.net.Cidr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A BIRD of our own keeps the contract, with another BIRD as its router.
@Tag("system")
class PrivateBirdTest extends BgpEngineContract {
  @TempDir Path directory;
  private BirdNetwork network;
  private PrivateBirdInside engine;

  @BeforeEach
  void build() throws IOException {
    network = new BirdNetwork(directory);
    engine = new PrivateBirdInside(directory.resolve("own"), network.node);
  }

  @AfterEach
  void remove() {
    engine.close();
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
  void aProcessThatDiedIsStartedAgain() throws IOException {
    BgpConfiguration say =
        configuration(session("name: tor-1, address: 192.168.77.1", "10.77.0.1/32"));
    engine.apply(say);
    long number = Long.parseLong(Files.readString(directory.resolve("own/bird.pid")).strip());
    ProcessHandle process = ProcessHandle.of(number).orElseThrow();
    process.destroyForcibly();
    process.onExit().join();
    assertThatThrownBy(engine::states).isInstanceOf(BgpEngineException.class);
    engine.apply(say);
    assertThat(engine.states()).extracting(BgpSessionState::peer).containsExactly("tor-1");
  }

  @Test
  void aDirectoryWithoutRoomForASocketIsRefused() {
    PrivateBirdInside far = new PrivateBirdInside(directory.resolve("x".repeat(100)), network.node);
    assertThatThrownBy(() -> far.apply(configuration(session("name: a, address: 192.0.2.1"))))
        .hasMessageContaining("too long");
  }
}
