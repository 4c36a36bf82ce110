package io.fairlead.agent.discovery;

import static io.fairlead.agent.discovery.TestPods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.pod.Pod;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The names a container has and the files it finds others by. Rows are named by the
/// specification's vectors.
class NameFilesTest {
  record Names(String name, String spec, String text, List<String> events) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String NODE_FILE = "search lan .\nnameserver 9.9.9.9\noptions rotate\n";
  private static final String CLUSTER_FILE =
      "search ns.svc.cluster.local svc.cluster.local cluster.local lan\n"
          + "nameserver 10.96.0.10\noptions ndots:5\n";
  private static final String NODES = "search lan\nnameserver 9.9.9.9\noptions rotate\n";

  static Stream<Names> resolving() {
    String many =
        IntStream.range(0, 40).mapToObj(i -> "s" + i).reduce((a, b) -> a + ", " + b).orElseThrow();
    return Stream.of(
        new Names("N44 the default", "{}", CLUSTER_FILE, List.of()),
        new Names("N45 hostNetwork, ClusterFirst", "{hostNetwork: true}", NODES, List.of()),
        new Names(
            "N45 ClusterFirstWithHostNet",
            "{hostNetwork: true, dnsPolicy: ClusterFirstWithHostNet}",
            CLUSTER_FILE,
            List.of()),
        new Names("N45 Default", "{dnsPolicy: Default}", NODES, List.of()),
        new Names(
            "N45 None",
            "{dnsPolicy: None, dnsConfig: {nameservers: [1.1.1.1], searches: [x]}}",
            "search x\nnameserver 1.1.1.1\n",
            List.of()),
        new Names(
            "N46 options by name, no search twice",
            "{dnsConfig: {options: [{name: ndots, value: '2'}, {name: edns0}], searches: [lan]}}",
            "search ns.svc.cluster.local svc.cluster.local cluster.local lan\n"
                + "nameserver 10.96.0.10\noptions ndots:2 edns0\n",
            List.of()),
        new Names(
            "N47 three nameservers of four",
            "{dnsPolicy: None, dnsConfig: {nameservers: [1.1.1.1, 2.2.2.2, 3.3.3.3, 4.4.4.4]}}",
            "nameserver 1.1.1.1\nnameserver 2.2.2.2\nnameserver 3.3.3.3\n",
            List.of("DNSConfigForming")),
        new Names(
            "N47 32 searches of 40",
            "{dnsPolicy: None, dnsConfig: {nameservers: [1.1.1.1], searches: [" + many + "]}}",
            "search "
                + String.join(" ", IntStream.range(0, 32).mapToObj(i -> "s" + i).toList())
                + "\nnameserver 1.1.1.1\n",
            List.of("DNSConfigForming")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("resolving")
  void resolvConf(Names row) {
    ResolvConfFile.Formed formed =
        ResolvConfFile.of(
            pod("p", row.spec()),
            "cluster.local",
            List.of("10.96.0.10"),
            ResolvConfFile.parse(NODE_FILE));
    assertThat(formed.file().text()).isEqualTo(row.text());
    assertThat(formed.events()).map(Map.Entry::getKey).isEqualTo(row.events());
  }

  @Test
  void withoutClusterDnsTheNodesFileIsUsed() {
    ResolvConfFile.Formed formed =
        ResolvConfFile.of(
            pod("p", "{}"), "cluster.local", List.of(), ResolvConfFile.parse(NODE_FILE));
    assertThat(formed.file().text()).isEqualTo(NODES);
    assertThat(formed.events()).map(Map.Entry::getKey).containsExactly("MissingClusterDNS");
  }

  @TestFactory
  Stream<DynamicTest> names() {
    String dashed = "a".repeat(62) + "-" + "b".repeat(17);
    return Stream.of(
        name("the pod's name", pod("p", "{}"), "p", "p"),
        name(
            "N50 cut to 63, no dash at the end", pod(dashed, "{}"), "a".repeat(62), "a".repeat(62)),
        name(
            "N49 hostname and subdomain",
            pod("p", "{hostname: busybox-1, subdomain: sub}"),
            "busybox-1.sub.ns.svc.cluster.local",
            "busybox-1"),
        name(
            "setHostnameAsFQDN",
            pod("p", "{hostname: h, subdomain: sub, setHostnameAsFQDN: true}"),
            "h.sub.ns.svc.cluster.local",
            "h.sub.ns.svc.cluster.local"),
        name("N52 hostNetwork: the node's", pod("p", "{hostNetwork: true}"), "node-a", "node-a"));
  }

  private static DynamicTest name(String row, Pod pod, String full, String machine) {
    return DynamicTest.dynamicTest(
        row,
        () -> {
          HostNames names = HostNames.of(pod, "cluster.local", "node-a");
          assertThat(names.full()).isEqualTo(full);
          assertThat(names.machine()).isEqualTo(machine);
        });
  }

  @Test
  void n49AndN51HostsFile() {
    Pod pod =
        pod(
            "p",
            "{hostname: busybox-1, subdomain: sub, hostAliases: [{ip: 10.1.2.3, hostnames:"
                + " [foo.local, bar.local]}]}");
    assertThat(
            HostsFile.of(
                pod, HostNames.of(pod, "cluster.local", "n"), List.of("10.244.1.7"), "9.9.9.9 n\n"))
        .isEqualTo(
            """
            # Kubernetes-managed hosts file.
            127.0.0.1\tlocalhost
            ::1\tlocalhost ip6-localhost ip6-loopback
            fe00::0\tip6-localnet
            fe00::0\tip6-mcastprefix
            fe00::1\tip6-allnodes
            fe00::2\tip6-allrouters
            10.244.1.7\tbusybox-1.sub.ns.svc.cluster.local\tbusybox-1

            # Entries added by HostAliases.
            10.1.2.3\tfoo.local\tbar.local
            """);
  }

  @Test
  void hostsFileInTheNodesNetworkBeginsWithTheNodesOwn() {
    Pod pod = pod("p", "{hostNetwork: true}");
    assertThat(HostsFile.of(pod, HostNames.of(pod, "cluster.local", "n"), List.of(), "9.9.9.9 n\n"))
        .isEqualTo("# Kubernetes-managed hosts file (host network).\n9.9.9.9 n\n");
  }
}
