package io.fairlead.dns.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.dns.StandardPlugins;
import io.fairlead.dns.corefile.Corefile;
import io.fairlead.dns.corefile.CorefileImports;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.ServerBlock;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.dns.testing.DnsTestClient;
import io.fairlead.dns.testing.DnsTestCluster;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.testing.SpecVectorCluster;
import io.fairlead.dns.testing.TestDnsServer;
import io.fairlead.dns.testing.TestUpstream;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Rcode;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// ConfigMaps as clusters have them: they parse as they are, every plugin in them is known, and
/// with ports and paths of the test they start and answer names of the cluster and of the world.
class CorefileCorpusTest {
  private static final String KUBEADM =
      """
      .:53 {
          errors
          health {
             lameduck 5s
          }
          ready
          kubernetes cluster.local in-addr.arpa ip6.arpa {
             pods insecure
             fallthrough in-addr.arpa ip6.arpa
             ttl 30
          }
          prometheus :9153
          forward . /etc/resolv.conf {
             max_concurrent 1000
          }
          cache 30 {
             disable success cluster.local
             disable denial cluster.local
          }
          loop
          reload
          loadbalance
      }
      """;

  record CorefileConfigMap(String name, String corefile) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<CorefileConfigMap> maps() {
    return Stream.of(
        new CorefileConfigMap("kubeadm", KUBEADM),
        new CorefileConfigMap(
            "GCE addon",
            KUBEADM
                .replace("       disable success cluster.local\n", "")
                .replace("       disable denial cluster.local\n", "")),
        new CorefileConfigMap(
            "kubeadm 1.11, with the retired upstream",
            """
            .:53 {
                errors
                health
                kubernetes cluster.local in-addr.arpa ip6.arpa {
                   pods insecure
                   upstream
                   fallthrough in-addr.arpa ip6.arpa
                }
                prometheus :9153
                forward . /etc/resolv.conf
                cache 30
                loop
                reload
                loadbalance
            }
            """),
        new CorefileConfigMap(
            "k3s",
            """
            .:53 {
                errors
                health
                ready
                kubernetes cluster.local in-addr.arpa ip6.arpa {
                  pods insecure
                  fallthrough in-addr.arpa ip6.arpa
                }
                hosts /etc/coredns/NodeHosts {
                  ttl 60
                  reload 15s
                  fallthrough
                }
                prometheus :9153
                forward . /etc/resolv.conf
                cache 30
                loop
                reload
                loadbalance
                import /etc/coredns/custom/*.override
            }
            import /etc/coredns/custom/*.server
            """),
        new CorefileConfigMap(
            "AKS",
            """
            .:53 {
                errors
                ready
                health {
                  lameduck 5s
                }
                kubernetes cluster.local in-addr.arpa ip6.arpa {
                  pods insecure
                  fallthrough in-addr.arpa ip6.arpa
                  ttl 30
                }
                prometheus :9153
                forward . /etc/resolv.conf
                cache 30
                loop
                reload
                loadbalance
                import custom/*.override
                template ANY ANY internal.cloudapp.net {
                  match "^(?:[^.]+\\\\.){4,}internal\\\\.cloudapp\\\\.net\\\\.$"
                  rcode NXDOMAIN
                  fallthrough
                }
                template ANY ANY reddog.microsoft.com {
                  rcode NXDOMAIN
                }
            }
            import custom/*.server
            """),
        new CorefileConfigMap(
            "EKS",
            """
            .:53 {
                errors
                health {
                    lameduck 5s
                  }
                ready
                kubernetes cluster.local in-addr.arpa ip6.arpa {
                  pods insecure
                  fallthrough in-addr.arpa ip6.arpa
                }
                prometheus :9153
                forward . /etc/resolv.conf
                cache 30
                loop
                reload
                loadbalance
            }
            """));
  }

  @TempDir private Path directory;

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("maps")
  void parsesAsItIs(CorefileConfigMap map) throws Exception {
    Corefile corefile =
        Corefile.parse(
            Path.of("Corefile"), map.corefile(), 53, CorefileImports.files(), System::getenv);
    for (ServerBlock block : corefile.blocks()) {
      assertThat(block.directives())
          .extracting(Directive::name)
          .isSubsetOf(StandardPlugins.byName().keySet());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("maps")
  void answers(CorefileConfigMap map) throws Exception {
    Path hosts = directory.resolve("NodeHosts");
    Files.writeString(hosts, "192.168.7.7 node-7\n");
    DnsTestCluster cluster = SpecVectorCluster.cluster();
    try (TestUpstream upstream = new TestUpstream()) {
      String text =
          map.corefile()
              .replace(".:53", ".:0")
              .replaceAll("(?m)^( +)health", "$1health 127.0.0.1:" + freePort())
              .replaceAll("(?m)^( +)ready", "$1ready 127.0.0.1:" + freePort())
              .replace(":9153", "127.0.0.1:" + freePort())
              .replace("/etc/resolv.conf", upstream.target())
              .replace("/etc/coredns/NodeHosts", hosts.toString());
      try (TestDnsServer server =
          new TestDnsServer(text, cluster::client, List.of("10.244.0.5"), List.of())
              .awaitCluster("crane.harbor.svc.cluster.local")) {
        DnsMessage ours =
            DnsTestClient.udp(server.address(), "crane.harbor.svc.cluster.local", "A");
        assertThat(ours.answer()).hasSize(1);
        assertThat(ours.answer().getFirst().data()).hasToString("10.96.14.7");
        await()
            .atMost(TestDnsServer.PATIENCE)
            .until(
                () ->
                    DnsTestClient.tcp(server.address(), "nosuch.harbor.svc.cluster.local", "A")
                            .rcode()
                        == Rcode.NXDOMAIN);
        DnsMessage theirs = DnsTestClient.udp(server.address(), "db.example.net", "A");
        assertThat(theirs.answer().getFirst().data()).hasToString("192.0.2.80");
        if (map.corefile().contains("NodeHosts")) {
          assertThat(DnsTestClient.udp(server.address(), "node-7", "A").answer().getFirst().data())
              .hasToString("192.168.7.7");
        }
        if (map.corefile().contains("reddog")) {
          assertThat(DnsTestClient.udp(server.address(), "x.reddog.microsoft.com", "A").rcode())
              .isEqualTo(Rcode.NXDOMAIN);
        }
      }
    }
  }

  @Test
  void nodeLocalBlocksAreAccepted() throws Exception {
    String body =
        """
            errors
            cache {
                    success 9984 30
                    denial 9984 5
            }
            reload
            loop
            bind 127.0.0.1 127.0.0.2
            forward . 10.96.0.11 {
                    force_tcp
            }
            prometheus :9253
            health 127.0.0.1:8080
        """;
    for (String zone : List.of("cluster.local:53", "in-addr.arpa:53", "ip6.arpa:53", ".:53")) {
      try (Rig rig = new Rig(zone, body, Rig.refusing(), new SharedResources(), List.of())) {
        assertThat(rig.settings().bind()).containsExactly("127.0.0.1", "127.0.0.2");
        assertThat(rig.plugins()).hasSize(8);
      }
    }
  }

  @Test
  void vector116AKeptClusterAnswerIsNeverOld() throws Exception {
    DnsTestCluster cluster = SpecVectorCluster.cluster();
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server =
            new TestDnsServer(
                    ".:0 {\nkubernetes cluster.local {\n}\nforward . "
                        + upstream.target()
                        + "\ncache 30\n}",
                    cluster::client,
                    List.of("10.244.0.5"),
                    List.of())
                .awaitCluster("fleet-0.fleet.quay.svc.cluster.local")) {
      cluster.delete(DnsTestCluster.SERVICES, "quay/fleet");
      await()
          .atMost(Duration.ofSeconds(25))
          .until(
              () ->
                  DnsTestClient.udp(server.address(), "fleet-0.fleet.quay.svc.cluster.local", "A")
                          .rcode()
                      == Rcode.NXDOMAIN);
    }
  }

  @Test
  void vector114AutopathFindsTheNameOutside() throws Exception {
    DnsTestCluster cluster = SpecVectorCluster.cluster();
    cluster.pod("harbor/client", "127.0.0.1");
    try (TestUpstream upstream = new TestUpstream();
        TestDnsServer server =
            new TestDnsServer(
                    ".:0 {\nkubernetes cluster.local {\npods verified\n}\nforward . "
                        + upstream.target()
                        + "\nautopath @kubernetes\n}",
                    cluster::client,
                    List.of("10.244.0.5"),
                    List.of())
                .awaitCluster("crane.harbor.svc.cluster.local")) {
      String asked = "db.example.net.harbor.svc.cluster.local";
      await()
          .atMost(TestDnsServer.PATIENCE)
          .until(() -> DnsTestClient.udp(server.address(), asked, "A").rcode() == Rcode.NOERROR);
      DnsMessage reply = DnsTestClient.udp(server.address(), asked, "A");
      assertThat(reply.questions().getFirst()).hasToString(asked + ". IN A");
      assertThat(reply.answer().stream().map(Object::toString))
          .containsExactly(
              asked + ". 60 IN CNAME db.example.net.", "db.example.net. 60 IN A 192.0.2.80");
    }
  }
}
