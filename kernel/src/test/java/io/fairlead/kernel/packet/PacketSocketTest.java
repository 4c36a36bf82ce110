package io.fairlead.kernel.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.packet.NeighbourFrame.Ipv6Bits;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.route.HardwareAddress;
import io.fairlead.kernel.route.IpPrefix;
import io.fairlead.kernel.route.LinkKind;
import io.fairlead.kernel.route.Rtnetlink;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The kernel of a neighbour asks for an address that no interface has, and is answered from here.
@Tag("system")
class PacketSocketTest {
  private static final int VIP = 0xc0a84df0; // 192.168.77.240
  private static final Ipv6Bits VIP6 = bits("fd77::240");

  private final NetworkNamespace node =
      NetworkNamespace.create("flk-pkt1-" + ProcessHandle.current().pid());
  private final NetworkNamespace client =
      NetworkNamespace.create("flk-pkt2-" + ProcessHandle.current().pid());
  private final CommandRunner tool = CommandRunner.inside(client, Duration.ofSeconds(60));
  private int link;
  private HardwareAddress own = HardwareAddress.BROADCAST;

  @BeforeEach
  void join() {
    try (Rtnetlink here = node.call(Rtnetlink::open);
        Rtnetlink there = client.call(Rtnetlink::open)) {
      here.addLink("eth0", new LinkKind.Veth("eth0", client));
      link = here.link("eth0").orElseThrow().index();
      here.setUp(link, true);
      own = here.hardwareAddresses().getOrDefault(link, HardwareAddress.BROADCAST);
      int far = there.link("eth0").orElseThrow().index();
      there.setUp(far, true);
      there.addAddress(far, IpPrefix.parse("192.168.77.13/24"));
      there.addAddress(far, IpPrefix.parse("fd77::13/64"));
    }
  }

  @AfterEach
  void remove() {
    node.delete();
    client.delete();
  }

  @Test
  void theKernelOfANeighbourLearnsTheAddress() {
    PacketSocket arp = node.call(() -> PacketSocket.arp(link));
    PacketSocket discovery = node.call(() -> PacketSocket.neighbourDiscovery(link));
    AtomicInteger heard = new AtomicInteger();
    try (PacketListener _ =
            PacketListener.start(
                "arp",
                arp,
                frame -> {
                  // A receiver that fails once goes on with the next frame.
                  if (heard.incrementAndGet() == 1) {
                    throw new IllegalStateException("the first frame, on purpose");
                  }
                  ArpFrame asked = ArpFrame.read(frame);
                  if (asked != null && asked.targetAddress() == VIP) {
                    arp.send(written(asked.answeredBy(own)::write));
                  }
                });
        PacketListener _ =
            PacketListener.start(
                "nd",
                discovery,
                frame -> {
                  NeighbourFrame asked = NeighbourFrame.read(frame);
                  if (asked != null && asked.target().equals(VIP6)) {
                    discovery.send(written(asked.answeredBy(own, bits("fe80::1"))::write));
                  }
                })) {
      await().atMost(Duration.ofSeconds(60)).until(() -> knows("192.168.77.240"));
      await().atMost(Duration.ofSeconds(60)).until(() -> knows("fd77::240"));
      assertThat(heard).hasValueGreaterThan(1);
    }
  }

  @Test
  void framesForOthersAreHeardWhileTheSocketAsksForThem() {
    CommandRunner here = CommandRunner.inside(node, Duration.ofSeconds(60));
    List<String> look = List.of("ip", "-d", "link", "show", "eth0");
    try (PacketSocket arp = node.call(() -> PacketSocket.arp(link))) {
      assertThat(here.run("", look).output()).contains("promiscuity 0");
      arp.hearAll(link);
      assertThat(here.run("", look).output()).contains("promiscuity 1");
    }
    assertThat(here.run("", look).output()).contains("promiscuity 0");
  }

  /// Sends something there and looks at the neighbour table.
  private boolean knows(String address) {
    tool.run("", List.of("ping", "-c1", "-W1", address));
    return tool.run("", List.of("ip", "neigh", "show", address)).output().contains("lladdr " + own);
  }

  private static ByteBuffer written(Consumer<ByteBuffer> frame) {
    ByteBuffer bytes = ByteBuffer.allocate(NeighbourFrame.LENGTH);
    frame.accept(bytes);
    return bytes;
  }

  private static Ipv6Bits bits(String text) {
    ByteBuffer bytes = ByteBuffer.wrap(InetAddress.ofLiteral(text).getAddress());
    return new Ipv6Bits(bytes.getLong(), bytes.getLong());
  }
}
