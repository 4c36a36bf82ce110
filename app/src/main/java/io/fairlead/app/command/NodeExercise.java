package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.app.dns.DnsClient;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.ResourceType;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.http.tls.PemParser;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/// What people ask of a node first, so that the JVM learns which classes that takes: a pod, a
/// Service for it, an answer through its cluster IP, and its name.
final class NodeExercise {
  private static final String NAMESPACE = "default";
  private static final String NAME = "training";
  private static final String ADDRESS = "10.96.0.77";
  private static final String DNS = "10.96.0.10";
  private static final Duration GLANCE = Duration.ofMillis(50);
  private static final int TRIES = 400;
  private static final int PATIENCE_MILLIS = 2000;

  private NodeExercise() {}

  /// Uses the node whose API is at that port.
  static void run(int port, Path pki)
      throws IOException, GeneralSecurityException, InterruptedException {
    ClientConfig connection =
        ClientConfig.of(
            URI.create("https://127.0.0.1:" + port),
            new Trust.Certificates(
                PemParser.certificates(Files.readAllBytes(pki.resolve("ca.crt")))),
            new ClientIdentity.ClientCertificate(
                PemParser.certificates(Files.readAllBytes(pki.resolve("admin.crt"))),
                PemParser.privateKey(Files.readAllBytes(pki.resolve("admin.key")))));
    try (Client client = new Client(new SocketTransport(connection, "fairlead-training"))) {
      client.create(ResourceType.SERVICES, NAMESPACE, service());
      client.create(ResourceType.PODS, NAMESPACE, pod());
    }
    for (int i = 0; i < TRIES && !answers(); i++) {
      Pacer.system().pause(GLANCE);
    }
    new DnsClient(
            new InetSocketAddress(InetAddress.ofLiteral(DNS), 53),
            Ticker.system(),
            new SecureRandom())
        .ask(NAME + ".default.svc.cluster.local.", RecordType.A);
  }

  private static boolean answers() {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.connect(new InetSocketAddress(InetAddress.ofLiteral(ADDRESS), 80), PATIENCE_MILLIS);
      socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      return socket.getInputStream().read() >= 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static ObjectNode object(String kind) {
    ObjectNode object = Json.object().put("kind", kind).put("apiVersion", "v1");
    ObjectNode metadata = object.putObject("metadata");
    metadata.put("name", NAME).put("namespace", NAMESPACE);
    metadata.putObject("labels").put("app", NAME);
    return object;
  }

  private static ObjectNode service() {
    ObjectNode service = object("Service");
    ObjectNode spec = service.putObject("spec").put("clusterIP", ADDRESS);
    spec.putObject("selector").put("app", NAME);
    spec.putArray("ports").addObject().put("port", 80).put("targetPort", 9376);
    return service;
  }

  private static ObjectNode pod() {
    ObjectNode pod = object("Pod");
    pod.putObject("spec")
        .putArray("containers")
        .addObject()
        .put("name", NAME)
        .put("image", "fairlead.dev/hostnames");
    return pod;
  }
}
