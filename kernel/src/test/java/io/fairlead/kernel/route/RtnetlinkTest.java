package io.fairlead.kernel.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.kernel.syscall.SystemCallException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Real interfaces in namespaces of the test's own, read back by this program and by `ip`.
@Tag("system")
class RtnetlinkTest {
  private final NetworkNamespace one =
      NetworkNamespace.create("flk-net1-" + ProcessHandle.current().pid());
  private final NetworkNamespace two =
      NetworkNamespace.create("flk-net2-" + ProcessHandle.current().pid());
  private final CommandRunner tool = CommandRunner.inside(one, Duration.ofSeconds(60));
  private Rtnetlink network;

  @BeforeEach
  void open() {
    network = one.call(Rtnetlink::open);
  }

  @AfterEach
  void remove() {
    network.close();
    one.delete();
    two.delete();
  }

  private int index(String name) {
    return network.link(name).orElseThrow().index();
  }

  private String ip(String... arguments) {
    return tool.run(
            "",
            java.util.stream.Stream.concat(
                    java.util.stream.Stream.of("ip"), java.util.stream.Stream.of(arguments))
                .toList())
        .output();
  }

  @Test
  void interfacesOfEveryKindTheKernelHas() {
    network.addLink("v0", new LinkKind.Veth("eth0", two));
    network.addLink("br0", new LinkKind.Bridge());
    network.addLink("vx0", new LinkKind.Vxlan(7, 4789, false));
    try {
      network.addLink("d0", new LinkKind.Dummy());
      assertThat(network.link("d0"))
          .hasValueSatisfying(l -> assertThat(l.kind()).isEqualTo("dummy"));
    } catch (SystemCallException e) {
      // This kernel was built without dummy interfaces and says so.
      assertThat(e).hasMessageContaining("add interface d0: netlink: EOPNOTSUPP");
    }
    network.setMaster(index("v0"), index("br0"));
    network.setMtu(index("v0"), 1400);
    network.setUp(index("v0"), true);
    assertThat(network.link("v0"))
        .contains(new Link(index("v0"), "v0", true, 1400, "veth", index("br0")));
    assertThat(ip("-d", "link", "show", "vx0"))
        .contains("vxlan id 7")
        .contains("nolearning")
        .contains("dstport 4789");
    try (Rtnetlink other = two.call(Rtnetlink::open)) {
      assertThat(other.link("eth0")).isPresent();
    }
    network.deleteLink(index("v0"));
    assertThat(network.link("v0")).isEmpty();
  }

  @Test
  void addressesRoutesAndRules() {
    network.addLink("v0", new LinkKind.Veth("v1", null));
    int v0 = index("v0");
    network.setUp(v0, true);
    network.setUp(index("v1"), true);
    network.addAddress(v0, IpPrefix.parse("10.1.0.1/24"));
    network.addAddress(v0, IpPrefix.parse("fd00::1/64"));
    assertThat(network.addresses(Rtnetlink.IPV4))
        .contains(new InterfaceIpAddress(v0, IpPrefix.parse("10.1.0.1/24")));
    assertThat(network.addresses(Rtnetlink.IPV6))
        .contains(new InterfaceIpAddress(v0, IpPrefix.parse("fd00::1/64")));
    Route route =
        new Route(IpPrefix.parse("10.2.0.0/16"), IpPrefix.parse("10.1.0.2").address(), v0);
    network.addRoute(route);
    network.replaceRoute(route);
    network.addRoute(new Route(IpPrefix.parse("fd02::/16"), null, v0, 1000));
    assertThat(network.routes(Rtnetlink.IPV4)).contains(route);
    assertThat(ip("route")).contains("10.2.0.0/16 via 10.1.0.2 dev v0");
    assertThat(ip("-6", "route", "show", "table", "1000")).contains("fd02::/16 dev v0");
    RoutingRule rule = new RoutingRule(IpPrefix.parse("10.3.0.0/16"), 100, 500);
    network.addRule(rule);
    assertThat(network.rules(Rtnetlink.IPV4)).contains(rule);
    assertThat(ip("rule")).contains("500:\tfrom 10.3.0.0/16 lookup 100");
    network.deleteRule(rule);
    network.deleteRoute(route);
    network.deleteAddress(v0, IpPrefix.parse("10.1.0.1/24"));
    assertThat(network.rules(Rtnetlink.IPV4)).doesNotContain(rule);
    assertThat(ip("route")).doesNotContain("10.2.0.0");
  }

  @Test
  void tunnelsAndWhereTheirPeersAre() {
    network.addLink("v0", new LinkKind.Veth("v1", null));
    network.setUp(index("v0"), true);
    network.setUp(index("v1"), true);
    network.addAddress(index("v0"), IpPrefix.parse("192.168.77.11/24"));
    network.addLink(
        "fl.1", new LinkKind.Vxlan(1, 8472, false, IpPrefix.parse("192.168.77.11").address()));
    int tunnel = index("fl.1");
    network.setMtu(tunnel, 1450);
    network.setUp(tunnel, true);
    assertThat(ip("-d", "link", "show", "fl.1"))
        .contains("mtu 1450", "vxlan id 1 local 192.168.77.11", "link/ether " + hardware(tunnel));

    HardwareAddress peer = HardwareAddress.parse("0a:00:00:00:00:02");
    HardwareAddress moved = HardwareAddress.parse("0a:00:00:00:00:03");
    ForwardingEntry entry =
        new ForwardingEntry(tunnel, peer, IpPrefix.parse("192.168.77.12").address());
    network.replaceForwarding(entry);
    for (String address : List.of("10.244.2.0", "fd00:244:2::")) {
      int family = address.contains(":") ? Rtnetlink.IPV6 : Rtnetlink.IPV4;
      int all = family == Rtnetlink.IPV6 ? 64 : 24;
      Neighbour neighbour = new Neighbour(tunnel, IpPrefix.parse(address).address(), peer);
      network.replaceNeighbour(neighbour);
      assertThat(network.neighbours(family)).contains(neighbour);
      Route route =
          new Route(
              IpPrefix.parse(address + "/" + all), neighbour.address(), tunnel, 254, 241, true);
      network.replaceRoute(route);
      assertThat(network.routes(family)).contains(route);
      Neighbour elsewhere = new Neighbour(tunnel, neighbour.address(), moved);
      network.replaceNeighbour(elsewhere);
      assertThat(network.neighbours(family)).contains(elsewhere).doesNotContain(neighbour);
      network.deleteRoute(route);
      network.deleteNeighbour(elsewhere);
      assertThat(network.routes(family)).doesNotContain(route);
      assertThat(network.neighbours(family)).doesNotContain(elsewhere);
    }
    assertThat(network.forwardingEntries()).contains(entry);
    network.deleteForwarding(entry);
    assertThat(network.forwardingEntries()).doesNotContain(entry);
  }

  @Test
  void aRouteForIpv4InIpv6IsReadAsWhatItIs() {
    network.setUp(index("lo"), true);
    ip("-6", "route", "add", "unreachable", "::ffff:0:0/96");
    assertThat(network.routes(Rtnetlink.IPV6))
        .extracting(route -> route.destination().toString())
        .contains("0:0:0:0:0:ffff:0:0/96");
  }

  private HardwareAddress hardware(int link) {
    return Objects.requireNonNull(network.hardwareAddresses().get(link));
  }

  @Test
  void hardwareAddressesAreReadStrictly() {
    assertThat(HardwareAddress.parse("0a:00:27:FF:00:02")).hasToString("0a:00:27:ff:00:02");
    for (String wrong : List.of("", "0a:00:27:ff:00", "0a-00-27-ff-00-02", "0a:00:27:ff:00:0g")) {
      assertThatThrownBy(() -> HardwareAddress.parse(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void refusalsNameTheObject() {
    assertThatThrownBy(() -> network.deleteLink(4711))
        .isInstanceOfSatisfying(SystemCallException.class, e -> assertThat(e.isNotFound()).isTrue())
        .hasMessageContaining("delete interface 4711");
    assertThatThrownBy(() -> network.addAddress(4711, IpPrefix.parse("10.1.0.1/24")))
        .hasMessageContaining("add address 10.1.0.1/24: netlink: ENODEV");
    network.addLink("br0", new LinkKind.Bridge());
    assertThatThrownBy(() -> network.addLink("br0", new LinkKind.Bridge()))
        .isInstanceOfSatisfying(
            SystemCallException.class, e -> assertThat(e.alreadyExists()).isTrue());
    assertThatThrownBy(() -> IpPrefix.parse("example.org/24"))
        .hasMessage("example.org/24: not an address");
    assertThatThrownBy(() -> IpPrefix.parse("10.0.0.1/33")).hasMessageContaining("no such length");
    assertThat(List.of(IpPrefix.parse("10.0.0.1"))).hasToString("[10.0.0.1/32]");
  }
}
