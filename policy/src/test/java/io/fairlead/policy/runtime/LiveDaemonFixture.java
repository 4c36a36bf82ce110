package io.fairlead.policy.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.policy.core.World;
import io.fairlead.policy.nftables.PolicyLab;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import tools.jackson.databind.node.ObjectNode;

/// The whole component against an API server in memory and a real kernel, with the pods of the
/// specification's fixture in network namespaces.
abstract class LiveDaemonFixture {
  static final Duration LIMIT = Duration.ofSeconds(30);
  static final Duration DENIED = Duration.ofMillis(300);
  static final String X_A = "10.244.1.11";
  static final String X_B = "10.244.1.12";
  static final String Y_A = "10.244.1.21";

  static PolicyLab lab;

  final FakeApi api =
      new FakeApi(
          List.of(
              ResourceType.PODS,
              ResourceType.NAMESPACES,
              ResourceType.NODES,
              ResourceType.LEASES,
              ResourceType.EVENTS,
              PolicyInformers.POLICIES));
  final Client client = new Client(api);
  final World world = new World();
  PolicyDaemon daemon;

  @BeforeAll
  static void build() {
    lab = PolicyLab.create();
  }

  @AfterAll
  static void remove() {
    lab.close();
  }

  @BeforeEach
  void start() {
    for (String name : World.NAMESPACES) {
      ObjectNode namespace = Json.object();
      namespace.putObject("metadata").put("name", name).putObject("labels").put("ns", name);
      client.create(ResourceType.NAMESPACES, "", namespace);
    }
    ObjectNode publicNamespace = Json.object();
    publicNamespace.putObject("metadata").put("name", "kube-public");
    client.create(ResourceType.NAMESPACES, "", publicNamespace);
    for (String pod : World.PODS) {
      create(pod);
    }
    ObjectNode node = Json.object();
    node.putObject("metadata").put("name", "node1");
    node.putObject("spec").putArray("podCIDRs").add("10.244.1.0/24").add("fd00:244:1::/64");
    client.create(ResourceType.NODES, "", node);
    daemon = launch();
  }

  PolicyDaemon launch() {
    return launch(PolicyOptions.Extras.NONE);
  }

  PolicyDaemon launch(PolicyOptions.Extras extras) {
    return launch(
        PolicyOptions.of("node1")
            .withStatus(new InetSocketAddress("127.0.0.1", 0))
            .withExtras(extras));
  }

  PolicyDaemon launch(PolicyOptions options) {
    PolicyDaemon made =
        lab.node().call(() -> new PolicyDaemon(options, client, InstantSource.system()));
    try {
      lab.node()
          .call(
              () -> {
                made.start();
                return true;
              });
      assertThat(made.awaitReady(LIMIT)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return made;
  }

  @AfterEach
  void stop() {
    daemon.close();
    client.close();
    lab.node().run(PolicyDaemon::removeTables);
    PolicyLab.run(lab.node(), "conntrack -F");
  }

  void create(String pod) {
    client.create(ResourceType.PODS, pod.split("/")[0], world.pod(pod));
  }

  void policy(String name, String spec) {
    ObjectNode policy = Json.object();
    policy.putObject("metadata").put("namespace", "x").put("name", name);
    policy.set("spec", Yaml.parse(spec));
    client.create(PolicyInformers.POLICIES, "x", policy);
  }

  static boolean reaches(String from, String to, int port) {
    return lab.reaches(IpAddress.parse(from), IpAddress.parse(to), "TCP", port, DENIED);
  }

  static void awaitReach(String from, String to, boolean expected) {
    await().atMost(LIMIT).until(() -> reaches(from, to, 80) == expected);
  }

  static boolean answers(DatagramSocket socket) {
    try {
      socket.setSoTimeout(300);
      socket.send(new DatagramPacket(new byte[1], 1));
      socket.receive(new DatagramPacket(new byte[16], 16));
      return true;
    } catch (SocketTimeoutException _) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String get(String path) {
    InetSocketAddress address = daemon.statusAddress().orElseThrow();
    return lab.node()
        .call(
            () -> {
              try (HttpClient http = HttpClient.newHttpClient()) {
                return http.send(
                        HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + address.getPort() + path))
                            .build(),
                        HttpResponse.BodyHandlers.ofString())
                    .body();
              }
            });
  }
}
