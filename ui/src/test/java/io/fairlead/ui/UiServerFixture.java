package io.fairlead.ui;

import io.fairlead.api.json.Json;
import io.fairlead.ui.session.PeerUids;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// A host of the page before a small cluster of objects, with a clock and a peer that tests set.
abstract class UiServerFixture {
  static final UiUser ADMIN = UiUser.named("admin", "system:masters");

  private static final String WORLD =
      """
      kind: Namespace
      metadata: {name: shop}
      ---
      kind: Node
      metadata: {name: a}
      status: {conditions: [{type: Ready, status: "True"}]}
      ---
      kind: Service
      metadata: {name: web, namespace: default}
      spec:
        type: ClusterIP
        clusterIP: 192.0.2.80
        selector: {app: web}
        ports: [{name: http, port: 80, protocol: TCP, targetPort: 8080}]
      ---
      kind: Pod
      metadata: {name: web-1, namespace: default, labels: {app: web}}
      spec: {nodeName: a, containers: [{name: web, image: web}]}
      status:
        phase: Running
        podIP: 192.0.2.81
        podIPs: [{ip: 192.0.2.81}]
        conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-01-01T00:00:00Z"}]
      ---
      kind: EndpointSlice
      metadata:
        name: web-1
        namespace: default
        labels:
          kubernetes.io/service-name: web
          endpointslice.kubernetes.io/managed-by: endpointslice-controller.k8s.io
      addressType: IPv4
      ports: [{name: http, port: 8080, protocol: TCP}]
      endpoints:
      - addresses: [192.0.2.81]
        conditions: {ready: true, serving: true, terminating: false}
        nodeName: a
        targetRef: {kind: Pod, name: web-1}
      ---
      kind: Service
      metadata: {name: typo, namespace: shop}
      spec:
        type: ClusterIP
        clusterIP: 192.0.2.90
        selector: {app: webb}
        ports: [{port: 80, protocol: TCP, targetPort: 8080}]
      """;

  final FakeUiHost host = new FakeUiHost();
  final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  final AtomicReference<OptionalInt> peer = new AtomicReference<>(OptionalInt.empty());
  UiServer server;
  PageClient page;

  @BeforeEach
  void start() throws IOException {
    host.create(WORLD);
    server = server(false);
    page = new PageClient(server.port());
  }

  UiServer server(boolean writes) throws IOException {
    PeerUids peers = (_, _) -> peer.get();
    return UiServer.start(host, new UiOptions(0, writes), new SecureRandom(), now::get, peers);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  String code(OptionalInt uid) {
    String url = server.link(ADMIN, uid).orElseThrow().url();
    return url.substring(url.indexOf("#login=") + "#login=".length());
  }

  PageClient.Answer trade(String code) throws IOException {
    return page.post("/ui/login", Json.object().put("code", code).toString());
  }

  record Visitor(String cookie, String token) {}

  Visitor visitor() throws IOException {
    PageClient.Answer in = trade(code(OptionalInt.empty()));
    return new Visitor(in.cookie(), Json.textOr(in.json(), "", "token"));
  }
}
