package io.fairlead.kernel.syscall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UdpSocketTest {
  private static final int BUFFER = 256 << 10;
  private static final int BATCH = 8;
  private static final int ROUNDS = 10_000;

  private static UdpSocket open(String address, int port) {
    return UdpSocket.open(
        new InetSocketAddress(InetAddress.ofLiteral(address), port), BUFFER, BUFFER);
  }

  private static DatagramSocket client(String address, int port) throws IOException {
    DatagramSocket client = new DatagramSocket(0, InetAddress.ofLiteral(address));
    client.setSoTimeout(60_000);
    client.connect(InetAddress.ofLiteral(address), port);
    return client;
  }

  private static void send(DatagramSocket client, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    client.send(new DatagramPacket(bytes, bytes.length));
  }

  private static String receive(DatagramSocket client) throws IOException {
    DatagramPacket packet = new DatagramPacket(new byte[100], 100);
    client.receive(packet);
    return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8);
  }

  /// Takes what comes and sends it back, each with its place in its batch.
  private static int echo(DatagramBatch batch) {
    byte[] bytes = new byte[100];
    int count = batch.receive();
    for (int i = 0; i < count; i++) {
      int length = batch.read(i, bytes);
      batch.answer(i, bytes, length);
    }
    assertThat(batch.flush()).isZero();
    return count;
  }

  @Test
  void manyAreTakenAndAnsweredTogether() throws IOException {
    try (UdpSocket socket = open("127.0.0.1", 0);
        DatagramBatch batch = socket.batch(BATCH, 100);
        DatagramSocket client = client("127.0.0.1", socket.address().getPort())) {
      int most = 0;
      // How many are there when the call looks is the kernel's affair; sooner or later all are.
      for (int round = 0; round < ROUNDS && most < BATCH; round++) {
        Set<String> sent = new HashSet<>();
        for (int i = 0; i < 20; i++) {
          send(client, round + " " + i);
          sent.add(round + " " + i);
        }
        for (int echoed = 0; echoed < 20; ) {
          int count = echo(batch);
          assertThat(count).isBetween(1, BATCH);
          most = Math.max(most, count);
          echoed += count;
        }
        Set<String> back = new HashSet<>();
        for (int i = 0; i < 20; i++) {
          back.add(receive(client));
        }
        assertThat(back).isEqualTo(sent);
      }
      assertThat(most).isEqualTo(BATCH);
    }
  }

  private static boolean hasIpv6() throws IOException {
    Path addresses = Path.of("/proc/net/if_inet6");
    return addresses.toFile().exists()
        && java.nio.file.Files.readString(addresses).contains("0".repeat(31) + "1 ");
  }

  @ParameterizedTest(name = "bound to {0}, asked over {1}")
  @CsvSource({
    "127.0.0.1, 127.0.0.1, false",
    "::1, ::1, true",
    "::, 127.0.0.1, false",
    "0.0.0.0, 127.0.0.1, false",
    "0.0.0.0, ::1, true"
  })
  void answersFindTheirWayBack(String bound, String asked, boolean ipv6) throws IOException {
    assumeTrue(!asked.contains(":") || hasIpv6(), "this machine has no IPv6");
    try (UdpSocket socket = open(bound, 0);
        DatagramBatch batch = socket.batch(BATCH, 100);
        DatagramSocket client = client(asked, socket.address().getPort())) {
      send(client, "here");
      assertThat(batch.receive()).isEqualTo(1);
      assertThat(batch.isIpv6(0)).isEqualTo(ipv6);
      DatagramPeer peer = batch.sender(0);
      assertThat(peer.address())
          .isEqualTo(new InetSocketAddress(InetAddress.ofLiteral(asked), client.getLocalPort()));
      byte[] bytes = new byte[100];
      batch.answer(0, bytes, batch.read(0, bytes));
      assertThat(batch.flush()).isZero();
      assertThat(receive(client)).isEqualTo("here");
      assertThat(socket.send("later".getBytes(StandardCharsets.UTF_8), peer)).isZero();
      assertThat(receive(client)).isEqualTo("later");
    }
  }

  @Test
  void longDatagramsAreCut() throws IOException {
    try (UdpSocket socket = open("127.0.0.1", 0);
        DatagramBatch batch = socket.batch(BATCH, 16);
        DatagramSocket client = client("127.0.0.1", socket.address().getPort())) {
      send(client, "more than sixteen bytes");
      assertThat(batch.receive()).isEqualTo(1);
      byte[] bytes = new byte[16];
      assertThat(batch.read(0, bytes)).isEqualTo(16);
      assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo("more than sixtee");
    }
  }

  @Test
  void severalSocketsShareAPort() {
    try (UdpSocket one = open("127.0.0.1", 0);
        UdpSocket two = open("127.0.0.1", one.address().getPort())) {
      assertThat(two.address()).isEqualTo(one.address());
    }
  }

  @Test
  void releasingWakesWhoWaitsAndFreesThePort() throws Exception {
    UdpSocket socket = open("127.0.0.1", 0);
    CompletableFuture<Boolean> waiting = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (DatagramBatch batch = socket.batch(BATCH, 100)) {
                    // The first comes when the thread waits or is about to.
                    waiting.complete(true);
                    batch.receive();
                  }
                });
    assertThat(waiting.get(60, TimeUnit.SECONDS)).isTrue();
    DatagramPeer peer;
    try (UdpSocket other = open("127.0.0.1", 0);
        DatagramBatch batch = other.batch(BATCH, 100);
        DatagramSocket client = client("127.0.0.1", other.address().getPort())) {
      send(client, "x");
      batch.receive();
      peer = batch.sender(0);
    }
    socket.release();
    socket.release();
    assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
    // A socket that does not share gets the port: it is free.
    try (DatagramSocket next =
        new DatagramSocket(socket.address().getPort(), InetAddress.ofLiteral("127.0.0.1"))) {
      assertThat(next.isBound()).isTrue();
    }
    assertThat(socket.send(new byte[1], peer)).isNegative();
    socket.close();
    socket.close();
  }

  @Test
  void aTakenPortIsNamed() throws IOException {
    try (DatagramSocket taken = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
      assertThatThrownBy(() -> open("127.0.0.1", taken.getLocalPort()))
          .hasMessage("UDP 127.0.0.1:" + taken.getLocalPort() + ": bind: EADDRINUSE");
    }
  }
}
