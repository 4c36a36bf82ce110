package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.app.cli.Context;
import io.fairlead.app.dns.ClusterDns;
import io.fairlead.app.dns.Lookup;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceRecord;
import io.fairlead.client.Client;
import io.fairlead.client.Connection;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.time.Ticker;
import io.fairlead.client.tls.Identity;
import io.fairlead.client.tls.Pem;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.proxy.control.ControlSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Asks the parts of a running node how they are: the proxy at its socket, the DNS by a question,
/// the agent by what the API knows of its Node. A part that was not started is not asked.
final class NodeParts {
  private static final int DNS_PORT = 53;

  private final DataDirectory directory;
  private final InstanceRecord instance;
  private final Context context;

  NodeParts(DataDirectory directory, InstanceRecord instance, Context context) {
    this.directory = directory;
    this.instance = instance;
    this.context = context;
  }

  /// One part.
  ///
  /// @param detail what it says of itself, or why it does not
  /// @param source where that is known from
  record Part(String name, boolean well, String detail, String source) {}

  List<Part> ask() {
    List<Part> parts = new ArrayList<>();
    proxy().ifPresent(parts::add);
    dns().ifPresent(parts::add);
    agent().ifPresent(parts::add);
    return parts;
  }

  private Optional<Part> proxy() {
    Path socket = directory.proxySocket();
    if (!Files.exists(socket)) {
      return Optional.empty();
    }
    try {
      ObjectNode answer = ControlSocket.ask(socket, Json.object());
      return Optional.of(new Part("proxy", true, Json.textOr(answer, "", "summary"), "probe"));
    } catch (IOException e) {
      return Optional.of(silent("proxy", socket.toString(), e));
    }
  }

  private Optional<Part> dns() {
    Optional<IpAddress> address = ClusterDns.address(directory.dns()).find();
    if (address.isEmpty()) {
      return Optional.empty();
    }
    String where = address.get().toString();
    try {
      Lookup.Answered answered =
          new Lookup(
                  new InetSocketAddress(InetAddress.ofLiteral(where), DNS_PORT),
                  Ticker.system(),
                  new SecureRandom())
              .ask("kube-dns.kube-system.svc.cluster.local.", RecordType.A);
      boolean well = answered.reply().rcode() == Rcode.NOERROR;
      String took = String.format(Locale.ROOT, "%.1f", answered.nanos() / 1e6);
      return Optional.of(
          new Part(
              "dns",
              well,
              where
                  + ", "
                  + (well
                      ? context.text("status.answers", took)
                      : Rcode.name(answered.reply().rcode())),
              "probe"));
    } catch (IOException e) {
      return Optional.of(silent("dns", where, e));
    }
  }

  private Part silent(String name, String where, IOException e) {
    return new Part(
        name,
        false,
        where + ", " + context.text("status.notready", String.valueOf(e.getMessage())),
        "probe");
  }

  private Optional<Part> agent() {
    if (!Files.exists(directory.agent().resolve("active"))) {
      return Optional.empty();
    }
    try (Client client = client()) {
      Optional<ObjectNode> node = client.find(ResourceType.NODES, new ObjectKey("", UpNode.NAME));
      boolean ready = node.map(NodeParts::isReady).orElse(false);
      return Optional.of(
          new Part(
              "agent",
              ready,
              "node "
                  + UpNode.NAME
                  + ", "
                  + (ready
                      ? context.text("status.ready")
                      : context.text("status.notready", UpNode.NAME)),
              "api"));
    } catch (IOException | GeneralSecurityException | ApiException | ConnectionException e) {
      return Optional.of(
          new Part(
              "agent",
              false,
              context.text("status.notready", String.valueOf(e.getMessage())),
              "api"));
    }
  }

  private static boolean isReady(ObjectNode node) {
    for (JsonNode condition : node.path("status").path("conditions")) {
      if (Json.textOr(condition, "", "type").equals("Ready")) {
        return Json.textOr(condition, "", "status").equals("True");
      }
    }
    return false;
  }

  private Client client() throws IOException, GeneralSecurityException {
    Path pki = directory.pki();
    return new Client(
        new SocketTransport(
            Connection.of(
                URI.create(instance.url()),
                new Trust.Certificates(Pem.certificates(Files.readAllBytes(pki.resolve("ca.crt")))),
                new Identity.ClientCertificate(
                    Pem.certificates(Files.readAllBytes(pki.resolve("admin.crt"))),
                    Pem.privateKey(Files.readAllBytes(pki.resolve("admin.key"))))),
            "fairlead-status"));
  }
}
