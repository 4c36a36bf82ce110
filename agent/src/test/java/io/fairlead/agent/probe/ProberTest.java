package io.fairlead.agent.probe;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.testing.Behaviour;
import io.fairlead.agent.testing.FakeRuntime;
import io.fairlead.api.yaml.Yaml;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// Real questions over loopback.
class ProberTest {
  private static HttpServer server;
  private static ServerSocket silent;
  private static int closed;
  private static HealthServer health;
  private static HealthServer unhealthy;

  @BeforeAll
  static void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    Map<String, Integer> codes = Map.of("/ok", 200, "/bad", 503, "/odd", 399, "/missing", 404);
    codes.forEach(
        (path, code) ->
            server.createContext(
                path,
                exchange -> {
                  exchange.sendResponseHeaders(code, -1);
                  exchange.close();
                }));
    Map.of("/here", "/ok", "/there", "http://198.51.100.1/", "/round", "/round")
        .forEach(
            (path, location) ->
                server.createContext(
                    path,
                    exchange -> {
                      exchange.getResponseHeaders().set("Location", location);
                      exchange.sendResponseHeaders(302, -1);
                      exchange.close();
                    }));
    server.createContext(
        "/headers",
        exchange -> {
          boolean fits =
              List.of("shop.example").equals(exchange.getRequestHeaders().get("Host"))
                  && List.of("kube-probe/1").equals(exchange.getRequestHeaders().get("User-Agent"))
                  && List.of("b").equals(exchange.getRequestHeaders().get("A"));
          exchange.sendResponseHeaders(fits ? 200 : 400, -1);
          exchange.close();
        });
    server.start();
    health = new HealthServer(true);
    unhealthy = new HealthServer(false);
    silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    try (ServerSocket brief = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = brief.getLocalPort();
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.stop(0);
    silent.close();
    health.close();
    unhealthy.close();
  }

  record Row(String name, String probe, String outcome) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("200", "httpGet: {port: PORT, path: /ok}", "Success"),
        new Row("399 is still success", "httpGet: {port: PORT, path: /odd}", "Success"),
        new Row("N12 503", "httpGet: {port: PORT, path: /bad}", "statuscode: 503"),
        new Row("404", "httpGet: {port: PORT, path: missing}", "statuscode: 404"),
        new Row("N19 redirect to the same host", "httpGet: {port: PORT, path: /here}", "Success"),
        new Row("N19 redirect elsewhere", "httpGet: {port: PORT, path: /there}", "redirects"),
        new Row("endless redirects", "httpGet: {port: PORT, path: /round}", "10 redirects"),
        new Row("N21 the container's own port", "httpGet: {port: web, path: /ok}", "Success"),
        new Row("no such port", "httpGet: {port: nope, path: /ok}", "couldn't find port: nope"),
        new Row(
            "headers as given",
            "httpGet: {port: PORT, path: /headers, httpHeaders: [{name: Host, value:"
                + " shop.example}, {name: A, value: b}]}",
            "Success"),
        new Row("http refused", "httpGet: {port: CLOSED}", "connect: connection refused"),
        new Row("http without an answer", "httpGet: {port: SILENT}", "deadline exceeded"),
        new Row("tcp", "tcpSocket: {port: PORT}", "Success"),
        new Row("tcp refused", "tcpSocket: {port: CLOSED}", "connect: connection refused"),
        new Row("N20 grpc serving", "grpc: {port: HEALTH}", "Success"),
        new Row("N20 grpc service serving", "grpc: {port: HEALTH, service: well}", "Success"),
        new Row(
            "N20 grpc not serving",
            "grpc: {port: HEALTH, service: ill}",
            "Failure[text=service unhealthy (responded with \"NOT_SERVING\")]"),
        new Row(
            "N20 grpc unimplemented",
            "grpc: {port: PLAIN}",
            "Failure[text=error: this server does not implement the grpc health protocol"
                + " (grpc.health.v1.Health): "),
        new Row(
            "grpc unknown service",
            "grpc: {port: HEALTH, service: x}",
            "Failure[text=error: health rpc probe failed: NOT_FOUND: unknown service"),
        new Row(
            "grpc error",
            "grpc: {port: HEALTH, service: odd}",
            "Failure[text=error: health rpc probe failed: DATA_LOSS: lost"),
        new Row(
            "grpc without an answer, deadline",
            "grpc: {port: HEALTH, service: mute}",
            "Failure[text=timeout: health rpc did not complete within 1s"),
        new Row("grpc refused", "grpc: {port: CLOSED}", "Failure[text=error: failed to connect"),
        new Row("exec", "exec: {command: [\"true\"]}", "Success"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void asks(Row row) {
    String probe =
        row.probe()
            .replace("PORT", Integer.toString(server.getAddress().getPort()))
            .replace("CLOSED", Integer.toString(closed))
            .replace("HEALTH", Integer.toString(health.port()))
            .replace("PLAIN", Integer.toString(unhealthy.port()))
            .replace("SILENT", Integer.toString(silent.getLocalPort()));
    Pod pod =
        Pod.of(
            (ObjectNode)
                Yaml.parse(
                    "metadata: {name: p}\nspec: {containers: [{name: other, ports: [{name: web,"
                        + " containerPort: 1}]}, {name: c, ports: [{name: web, containerPort: "
                        + server.getAddress().getPort()
                        + "}], readinessProbe: {timeoutSeconds: 1, "
                        + probe
                        + "}}]}"));
    var container = pod.containers().getLast();
    ProbeOutcome outcome =
        new Prober(
                HostNamespace.OWN,
                new FakeRuntime(InstantSource.system(), (_, _) -> Behaviour.SERVES),
                "kube-probe/1")
            .ask(
                container.readiness().orElseThrow().action(),
                container,
                "c1",
                "127.0.0.1",
                Duration.ofSeconds((row.name() + row.outcome()).contains("deadline") ? 1 : 30));
    if (row.outcome().equals("Success")) {
      assertThat(outcome).isEqualTo(new ProbeOutcome.Success(""));
    } else {
      assertThat(outcome.toString()).contains(row.outcome());
    }
  }
}
