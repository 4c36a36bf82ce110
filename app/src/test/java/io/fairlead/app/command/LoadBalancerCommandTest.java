package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.Provokes;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.testing.TransportHttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead lb` against an API that is not ours.
class LoadBalancerCommandTest {
  @TempDir Path directory;
  private final FakeApi api =
      new FakeApi(
          List.of(
              ResourceType.SERVICES,
              ResourceType.NODES,
              ResourceType.LEASES,
              ResourceType.CONFIG_MAPS));
  private final Client client = new Client(api);
  private TransportHttpServer http;

  @BeforeEach
  void serve() throws IOException {
    http = new TransportHttpServer(api, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Files.writeString(directory.resolve("kubeconfig"), http.kubeconfig());
    create(ResourceType.NAMESPACES, "", "metadata: {name: kube-public}");
    create(
        ResourceType.CONFIG_MAPS,
        "kube-public",
        """
        metadata: {name: fairlead-load-balancer}
        data:
          pools.yaml: |
            pools: [{name: lan, addresses: [192.168.77.240-192.168.77.250]},
              {name: routed, addresses: [192.168.88.0/24], announce: none},
              {name: far, addresses: [10.77.0.0/28], announce: bgp}]
            peers: [{name: tor-1, address: 192.168.77.1, asn: 64512, myAsn: 65000},
              {name: tor-2, address: 192.168.77.2, asn: 64512, myAsn: 65000}]
        """);
    create(
        ResourceType.NODES,
        "",
        "{metadata: {name: a}, status: {conditions: [{type: Ready, status: 'True'}]}}");
    create(
        ResourceType.NODES,
        "",
        """
        metadata: {name: b, labels: {node.kubernetes.io/exclude-from-external-load-balancers: ""}}
        status: {conditions: [{type: Ready, status: 'True'}]}
        """);
    service("web", "192.168.77.240");
    service("old", "192.168.88.7");
  }

  private void service(String name, String address) {
    create(
        ResourceType.SERVICES,
        "default",
        """
        metadata: {name: %s, annotations: {fairlead.dev/allocated-from: lan}}
        spec: {type: LoadBalancer, ports: [{port: 80}]}
        status: {loadBalancer: {ingress: [{ip: %s, ipMode: VIP}]}}
        """
            .formatted(name, address));
  }

  private void lease(String announces) {
    create(
        ResourceType.LEASES,
        "kube-public",
        """
        metadata:
          name: fairlead-announce-a
          labels: {fairlead.dev/announce: ""}
          annotations: {fairlead.dev/announces: "%s", fairlead.dev/ready-for: "%s"}
        spec: {holderIdentity: a, renewTime: "2999-01-01T00:00:00.000000Z"}
        """
            .formatted(announces, announces));
  }

  private void create(ResourceType type, String namespace, String yaml) {
    client.create(type, namespace, (ObjectNode) Yaml.parse(yaml));
  }

  @AfterEach
  void close() {
    http.close();
    client.close();
  }

  private CommandLineHarness.Result lb(String... words) {
    List<String> line = new ArrayList<>(List.of("lb"));
    line.addAll(List.of(words));
    line.add("--kubeconfig=" + directory.resolve("kubeconfig"));
    return new CommandLineHarness().run(line.toArray(String[]::new));
  }

  @Test
  void listsAddressesAndWhoAnnouncesThem() {
    lease("192.168.77.240");
    CommandLineHarness.Result result = lb();
    assertThat(result.exit()).isEqualTo(ExitCode.FINE);
    assertThat(result.out())
        .isEqualTo(
            """
            ADDRESS         POOL    SERVICE      NODE  STATE
            192.168.77.240  lan     default/web  a     announced
            192.168.88.7    routed  default/old  -     not announced by nodes
            """);
  }

  @Test
  void saysWhyNoNodeDoes() {
    lease("");
    CommandLineHarness.Result result = lb();
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out())
        .contains("192.168.77.240  lan     default/web  -     not announced\n")
        .endsWith(
            "FL403 no node announces 192.168.77.240: a has no network for it, b is excluded by"
                + " label\n");
  }

  @Test
  void lv66ARouterThatDoesNotHearANodeIsNamed() {
    service("far", "10.77.0.1");
    create(
        ResourceType.LEASES,
        "kube-public",
        """
        metadata:
          name: fairlead-announce-a
          labels: {fairlead.dev/announce: ""}
          annotations: {fairlead.dev/routes: 10.77.0.1, fairlead.dev/announces: 192.168.77.240,
            fairlead.dev/bgp-peers: 'tor-1=Established;tor-2=Connect, "Connection refused"'}
        spec: {holderIdentity: a, renewTime: "2999-01-01T00:00:00.000000Z"}
        """);
    CommandLineHarness.Result result = lb();
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out())
        .contains("10.77.0.1       far     default/far  a     announced\n")
        .endsWith("FL408 node a has no session with tor-2: Connect, \"Connection refused\"\n");
  }

  @Test
  void anAddressNoRouterHearsOfIsNotAnnounced() {
    service("far", "10.77.0.1");
    create(
        ResourceType.LEASES,
        "kube-public",
        """
        metadata:
          name: fairlead-announce-a
          labels: {fairlead.dev/announce: ""}
          annotations: {fairlead.dev/routes: 10.77.0.1, fairlead.dev/announces: 192.168.77.240,
            fairlead.dev/bgp-peers: "tor-1=Idle"}
        spec: {holderIdentity: a, renewTime: "2999-01-01T00:00:00.000000Z"}
        """);
    assertThat(lb().out())
        .contains("10.77.0.1       far     default/far  -     not announced\n")
        .contains(
            "FL403 no node announces 10.77.0.1: a has no session: tor-1 is Idle, b is excluded by"
                + " label\n");
  }

  @Test
  void lv61RebalanceAsksTheOwners() {
    lease("192.168.77.240");
    CommandLineHarness.Result result = lb("rebalance", "192.168.77.240");
    assertThat(result.exit()).isEqualTo(ExitCode.FINE);
    assertThat(annotation("web")).isNotEmpty();
    assertThat(annotation("old")).isEmpty();
  }

  private String annotation(String service) {
    return Json.textOr(
        client.get(ResourceType.SERVICES, new ObjectKey("default", service)),
        "",
        "metadata",
        "annotations",
        "fairlead.dev/rebalance");
  }

  @Test
  @Provokes(ErrorCode.FL403)
  void anAddressThatNoNodeAnnouncesCannotBeMoved() {
    CommandLineHarness.Result result = lb("rebalance", "192.168.77.240");
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.err()).contains("FL403");
  }

  @Test
  void otherWordsAreRefused() {
    assertThat(lb("balance").err()).contains("FL303");
    assertThat(lb("rebalance", "web").err()).contains("FL303");
  }

  @Test
  void printsJson() {
    lease("192.168.77.240");
    assertThat(lb("-o", "json").out())
        .contains("\"kind\" : \"LoadBalancerAddresses\"", "\"node\" : \"a\"");
  }
}
