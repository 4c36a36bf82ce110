package io.fairlead.dns.kubernetes.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The packed forms against plain ones.
class ClusterTablesTest {
  private static IpAddress address(Random random) {
    return random.nextBoolean()
        ? IpAddress.ipv4(random.nextInt(500))
        : IpAddress.ipv6(random.nextInt(3), random.nextInt(200));
  }

  @Test
  void addressesAreFoundAsInAMap() {
    Random random = new Random(11);
    AddressTable<String> table = new AddressTable<>();
    Map<IpAddress, String> plain = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      IpAddress address = address(random);
      if (random.nextInt(3) == 0) {
        table.put(address, null);
        plain.remove(address);
      } else {
        table.put(address, "v" + i);
        plain.put(address, "v" + i);
      }
      IpAddress other = address(random);
      assertThat(table.get(other)).isEqualTo(plain.get(other));
    }
    Map<IpAddress, String> seen = new HashMap<>();
    table.forEach(seen::put);
    assertThat(seen).isEqualTo(plain);
    assertThat(table.size()).isEqualTo(plain.size());
  }

  record Packed(String name, List<EndpointFacts> endpoints) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static EndpointFacts endpoint(String address, String name, String zone) {
    return new EndpointFacts(IpAddress.parse(address), name.isEmpty() ? null : name, zone);
  }

  static Stream<Packed> packed() {
    return Stream.of(
        new Packed("none", List.of()),
        new Packed("IPv4", List.of(endpoint("10.0.0.1", "", ""), endpoint("10.0.0.2", "", ""))),
        new Packed("IPv6", List.of(endpoint("fd00::1", "", ""), endpoint("::1", "", ""))),
        new Packed(
            "both, and one that is mapped",
            List.of(
                endpoint("10.0.0.1", "", ""),
                endpoint("fd00::1", "", ""),
                endpoint("::ffff:10.0.0.1", "", ""))),
        new Packed(
            "names and zones",
            List.of(endpoint("10.0.0.1", "a", ""), endpoint("10.0.0.2", "", "z"))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("packed")
  void packedEndpointsAreTheSame(Packed c) {
    SliceEndpoints packed = SliceEndpoints.of(c.endpoints());
    assertThat(new ArrayList<>(packed)).isEqualTo(c.endpoints());
    assertThat(packed).isEqualTo(SliceEndpoints.of(List.copyOf(c.endpoints())));
  }

  private static CompiledService headless(int endpoints) {
    ObjectKey key = new ObjectKey("quay", "swarm");
    List<EndpointFacts> list = new ArrayList<>();
    for (int i = 0; i < endpoints; i++) {
      list.add(new EndpointFacts(IpAddress.ipv4(0x0afa0001L + i), null, ""));
    }
    List<PortFacts> ports = List.of(new PortFacts("web", "TCP", 80));
    CompiledService compiled =
        CompiledService.of(
            new DnsServiceFacts(
                key, DnsServiceFacts.Kind.HEADLESS, List.of(), ports, "", List.of()),
            List.of(new SliceFacts(new ObjectKey("quay", "s"), key, ports, list, 0, false)),
            DataOptions.withTtl(5));
    return java.util.Objects.requireNonNull(compiled);
  }

  @Test
  void setsThatNoMessageCanCarryAreNoticed() {
    assertThat(TruncationWarnings.tooLarge(headless(1000))).isEmpty();
    assertThat(TruncationWarnings.tooLarge(headless(1200))).isEqualTo("1200 SRV records");
    assertThat(TruncationWarnings.tooLarge(headless(4100))).isEqualTo("4100 addresses");
  }

  @Test
  void addressesBetweenTwoAreFoundAfterEveryChange() {
    ClusterTables tables = new ClusterTables();
    IpAddress first = IpAddress.parse("10.250.0.0");
    IpAddress last = IpAddress.parse("10.250.0.255");
    assertThat(tables.anyAddress(first, last)).isFalse();
    tables.service(new ObjectKey("quay", "swarm"), headless(3));
    assertThat(tables.anyAddress(first, last)).isTrue();
    assertThat(tables.anyAddress(IpAddress.parse("10.250.1.0"), IpAddress.parse("10.250.1.255")))
        .isFalse();
    assertThat(tables.anyAddress(IpAddress.parse("::"), IpAddress.parse("ffff::"))).isFalse();
    tables.service(new ObjectKey("quay", "swarm"), null);
    assertThat(tables.anyAddress(first, last)).isFalse();
  }
}
