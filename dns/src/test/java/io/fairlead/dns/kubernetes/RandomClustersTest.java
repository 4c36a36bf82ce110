package io.fairlead.dns.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.DnsTestClient;
import io.fairlead.dns.testing.DnsTestCluster;
import io.fairlead.dns.testing.TestDnsServer;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What must hold for any cluster, tried on invented ones. The seed is the name of the row.
class RandomClustersTest {
  private static final String ZONE = "cluster.local.";
  private static final String COREFILE =
      """
      .:0 {
        kubernetes cluster.local in-addr.arpa ip6.arpa {
          pods insecure
        }
      }
      """;

  /// A cluster with a plain list of the names it must have.
  private static final class Invented {
    private final Random random;
    private final DnsTestCluster cluster = new DnsTestCluster();
    private final Set<String> names = new TreeSet<>();
    private final Map<String, Set<String>> addresses = new HashMap<>();
    private int next = 1;

    Invented(long seed) {
      random = new Random(seed);
      name("dns-version." + ZONE);
      name("ns.dns." + ZONE);
      name("pod." + ZONE);
      name("svc." + ZONE);
      for (String namespace : List.of("default", "kube-system", "one", "two")) {
        if (namespace.length() == 3) {
          cluster.namespace(namespace);
        }
        name(namespace + ".svc." + ZONE);
        name(namespace + ".pod." + ZONE);
        for (int i = 0; i < 4; i++) {
          service(namespace, "s" + i);
        }
      }
    }

    /// A name and all above it, down to the zone.
    private void name(String text) {
      for (Name name = Name.of(text); !name.isRoot(); name = name.parent()) {
        if (name.isUnder(Name.of(ZONE))) {
          names.add(name.toString());
        }
      }
    }

    private String address(boolean ipv6) {
      int number = next++;
      return ipv6 ? "fd00::" + Integer.toHexString(number) : "10.1.2." + number;
    }

    private void service(String namespace, String service) {
      String base = service + "." + namespace + ".svc." + ZONE;
      boolean headless = random.nextBoolean();
      boolean named = random.nextBoolean();
      String ports = (named ? "web" : "") + (random.nextBoolean() ? "/TCP/80" : "/UDP/53");
      String protocol = ports.contains("TCP") ? "_tcp" : "_udp";
      if (headless) {
        cluster.service(namespace + "/" + service, "None", ports);
      } else {
        String address = address(random.nextInt(4) == 0);
        cluster.service(namespace + "/" + service, address, ports);
        name(base);
        addresses.computeIfAbsent(address, _ -> new TreeSet<>()).add(base);
      }
      boolean any = false;
      for (int slice = 0; slice < random.nextInt(3); slice++) {
        any |= slice(namespace, service, slice, ports, base);
      }
      if (headless && any) {
        name(base);
      }
      if (named && (!headless || any)) {
        name("_web." + protocol + "." + base);
      }
    }

    private boolean slice(String namespace, String service, int slice, String ports, String base) {
      boolean ipv6 = random.nextInt(3) == 0;
      boolean any = false;
      List<String> endpoints = new ArrayList<>();
      for (int i = 0; i < random.nextInt(4); i++) {
        String address = address(ipv6);
        boolean ready = random.nextInt(5) > 0;
        String host = random.nextBoolean() ? "h" + random.nextInt(3) : "";
        endpoints.add(
            address + (host.isEmpty() ? "" : " host=" + host) + (ready ? " ready" : " unready"));
        if (ready) {
          String label = host.isEmpty() ? address.replace('.', '-').replace(':', '-') : host;
          name(label + "." + base);
          addresses.computeIfAbsent(address, _ -> new TreeSet<>()).add(label + "." + base);
          any = true;
        }
      }
      cluster.slice(
          namespace + "/" + service + "-" + slice,
          service,
          ipv6 ? "IPv6" : "IPv4",
          ports,
          endpoints.toArray(String[]::new));
      return any;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void namesExistExactlyWhenTheyAreNotDeniedAndAddressesLeadBack(long seed) throws SetupException {
    Invented invented = new Invented(seed);
    try (TestDnsServer server =
        new TestDnsServer(COREFILE, invented.cluster::client, List.of(), List.of()).awaitDenial()) {
      for (String name : invented.names) {
        assertThat(rcode(server, name)).as(name).isEqualTo(Rcode.NOERROR);
        String below = "zz9." + name;
        assertThat(rcode(server, below)).as(below).isEqualTo(Rcode.NXDOMAIN);
      }
      invented.addresses.forEach((address, names) -> check(server, address, names));
    }
  }

  private static int rcode(TestDnsServer server, String name) {
    return DnsTestClient.udp(server.address(), name, "A").rcode();
  }

  private static void check(TestDnsServer server, String address, Set<String> names) {
    DnsMessage back = DnsTestClient.udp(server.address(), reverse(address), "PTR");
    Set<String> targets = new TreeSet<>();
    for (ResourceRecord each : back.answer()) {
      targets.add(((RecordData.Target) each.data()).name().toString());
    }
    assertThat(targets).as(address).isEqualTo(names);
    for (String target : targets) {
      String type = address.contains(":") ? "AAAA" : "A";
      assertThat(DnsTestClient.udp(server.address(), target, type).answer())
          .as(target)
          .anyMatch(each -> each.data().equals(new RecordData.Address(IpAddress.parse(address))));
    }
  }

  private static String reverse(String text) {
    byte[] bytes = IpAddress.parse(text).toBytes();
    StringBuilder name = new StringBuilder();
    for (int i = bytes.length - 1; i >= 0; i--) {
      if (bytes.length == 4) {
        name.append(bytes[i] & 0xff).append('.');
      } else {
        name.append(Integer.toHexString(bytes[i] & 15)).append('.');
        name.append(Integer.toHexString(bytes[i] >> 4 & 15)).append('.');
      }
    }
    return name + (bytes.length == 4 ? "in-addr.arpa" : "ip6.arpa");
  }
}
