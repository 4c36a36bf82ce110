package io.fairlead.dns.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.DnsTestClient;
import io.fairlead.dns.testing.DnsTestCluster;
import io.fairlead.dns.testing.SpecVectorCluster;
import io.fairlead.dns.testing.StubUpstream;
import io.fairlead.dns.testing.TestDnsServer;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The vectors of section 5 that need another plugin beside `kubernetes`.
class PluginVectorsTest {
  private static final String KUBERNETES =
      """
        kubernetes cluster.local in-addr.arpa ip6.arpa {
          ttl 30
          pods verified
        }
        forward . upstream
      """;

  private static TestDnsServer server(DnsTestCluster cluster, String more) throws SetupException {
    return new TestDnsServer(
            ".:0 {\n" + KUBERNETES + more + "\n}\n",
            cluster::client,
            List.of("10.244.0.5"),
            List.of(new StubUpstream()))
        .awaitDenial();
  }

  private static long serial(TestDnsServer server) {
    DnsMessage soa = DnsTestClient.tcp(server.address(), "cluster.local", "SOA");
    return ((RecordData.Soa) soa.answer().getFirst().data()).serial();
  }

  @Test
  void vector98WholeZone() throws SetupException {
    try (TestDnsServer server = server(SpecVectorCluster.cluster(), "transfer {\n to *\n}")) {
      DnsMessage first = DnsTestClient.tcp(server.address(), "cluster.local", "AXFR");
      assertThat(first.rcode()).isEqualTo(Rcode.NOERROR);
      assertThat(first.answer().getFirst().type()).isEqualTo(RecordType.SOA);
      assertThat(first.answer())
          .extracting(ResourceRecord::toString)
          .contains(
              "_sail._tcp.fleet.quay.svc.cluster.local. 30 IN SRV 0 33 4100"
                  + " fleet-0.fleet.quay.svc.cluster.local.")
          .noneMatch(line -> line.contains(".pod.cluster.local."));
      assertThat(DnsTestClient.udp(server.address(), "cluster.local", "AXFR").rcode())
          .isEqualTo(Rcode.REFUSED);
    }
  }

  @Test
  void vector99NothingNew() throws SetupException {
    try (TestDnsServer server = server(SpecVectorCluster.cluster(), "transfer {\n to *\n}")) {
      Name zone = Name.of("cluster.local");
      ResourceRecord have =
          ResourceRecord.in(
              zone, 0, new RecordData.Soa(Name.ROOT, Name.ROOT, serial(server), 0, 0, 0, 0));
      DnsMessage query =
          new DnsMessage(
              new Header(1, 0, 0, 0),
              List.of(new Question(zone, RecordType.IXFR, RecordClass.IN)),
              List.of(),
              List.of(have),
              List.of(),
              null);
      DnsMessage reply = DnsTestClient.tcp(server.address(), query);
      assertThat(reply.answer()).extracting(ResourceRecord::type).containsExactly(RecordType.SOA);
    }
  }

  @Test
  void vector107EveryAddressComesFirstAsOften() throws SetupException {
    try (TestDnsServer server = server(SpecVectorCluster.cluster(), "loadbalance")) {
      Map<String, Integer> firsts = new HashMap<>();
      for (int i = 0; i < 300; i++) {
        DnsMessage reply = DnsTestClient.udp(server.address(), "fleet.quay.svc.cluster.local", "A");
        firsts.merge(reply.answer().getFirst().data().toString(), 1, Integer::sum);
      }
      assertThat(firsts).hasSize(3);
      assertThat(firsts.values()).allMatch(count -> count >= 60 && count <= 141);
    }
  }

  @Test
  void vector114SearchPathIsWalkedHere() throws SetupException {
    DnsTestCluster cluster = SpecVectorCluster.cluster();
    cluster.pod("harbor/client", "127.0.0.1");
    try (TestDnsServer server = server(cluster, "autopath @kubernetes")) {
      String asked = "db.example.net.harbor.svc.cluster.local";
      await()
          .atMost(TestDnsServer.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(DnsTestClient.udp(server.address(), asked, "A").answer())
                      .extracting(ResourceRecord::toString)
                      .containsExactly(
                          asked + ". 120 IN CNAME db.example.net.",
                          "db.example.net. 120 IN A 192.0.2.80"));
      assertThat(DnsTestClient.udp(server.address(), asked, "A").questions().getFirst().name())
          .isEqualTo(Name.of(asked));
    }
  }

  @Test
  void vector116OwnNamesAreNeverCached() throws SetupException {
    DnsTestCluster cluster = SpecVectorCluster.cluster();
    String name = "fleet-0.fleet.quay.svc.cluster.local";
    try (TestDnsServer server = server(cluster, "cache 30")) {
      assertThat(DnsTestClient.udp(server.address(), name, "A").answer()).hasSize(1);
      cluster.delete(DnsTestCluster.SLICES, "quay/fleet-v4");
      cluster.delete(DnsTestCluster.SLICES, "quay/fleet-v6");
      await()
          .atMost(TestDnsServer.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(DnsTestClient.udp(server.address(), name, "A").rcode())
                      .isEqualTo(Rcode.NXDOMAIN));
    }
  }
}
