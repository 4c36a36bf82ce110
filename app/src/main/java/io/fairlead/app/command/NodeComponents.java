package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.dns.ClusterDns;
import io.fairlead.app.dns.DnsClient;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceRecord;
import io.fairlead.app.node.LocalBalancerRange;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.lease.PolicyReport;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.http.tls.PemParser;
import io.fairlead.proxy.mode.ControlSocket;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
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
final class NodeComponents {
  private static final int DNS_PORT = 53;
  private static final int CONNECT_MILLIS = 2_000;

  private final DataDirectory directory;
  private final InstanceRecord instance;
  private final CommandContext context;

  NodeComponents(DataDirectory directory, InstanceRecord instance, CommandContext context) {
    this.directory = directory;
    this.instance = instance;
    this.context = context;
  }

  /// One part.
  ///
  /// @param detail what it says of itself, or why it does not
  /// @param source where that is known from
  record Component(String name, boolean well, String detail, String source) {}

  List<Component> ask() {
    List<Component> parts = new ArrayList<>();
    proxy().ifPresent(parts::add);
    dns().ifPresent(parts::add);
    policy().ifPresent(parts::add);
    agent().ifPresent(parts::add);
    balancer().ifPresent(parts::add);
    return parts;
  }

  /// Addresses that only this machine routes are of no use to clients of other nodes; with one node
  /// there is nothing to say.
  private Optional<Component> balancer() {
    Optional<Cidr> range = new LocalBalancerRange(directory.loadBalancer()).find();
    if (range.isEmpty()) {
      return Optional.empty();
    }
    try (Client client = client()) {
      int nodes = client.list(ResourceType.NODES, "", ListOptions.ALL).items().size();
      return ofSeveral(range.get(), nodes, context);
    } catch (IOException | GeneralSecurityException | ApiException | ConnectionException _) {
      // The row of the API says so.
      return Optional.empty();
    }
  }

  static Optional<Component> ofSeveral(Cidr range, int nodes, CommandContext context) {
    return nodes < 2
        ? Optional.empty()
        : Optional.of(
            new Component(
                "load balancer",
                true,
                context.text("status.localpool", range.toString(), nodes),
                "api"));
  }

  private Optional<Component> proxy() {
    Path socket = directory.proxySocket();
    if (!Files.exists(socket)) {
      return Optional.empty();
    }
    try {
      String summary = Json.textOr(ControlSocket.ask(socket, Json.object()), "", "summary");
      Optional<String> problem = connectProblem();
      return Optional.of(
          new Component(
              "proxy",
              problem.isEmpty(),
              problem.map(why -> summary + "; " + why).orElse(summary),
              "probe"));
    } catch (IOException e) {
      return Optional.of(silent("proxy", socket.toString(), e));
    }
  }

  /// The proxy may believe that all its rules are there while no Service answers: so one is called,
  /// the API server's own. Empty when it answers, and where the API does not: that is another line.
  private Optional<String> connectProblem() {
    String service = "";
    try (Client client = client();
        Socket socket = new Socket()) {
      Optional<ObjectNode> found =
          client.find(ResourceType.SERVICES, new ObjectKey("default", "kubernetes"));
      if (found.isEmpty()) {
        return Optional.empty();
      }
      JsonNode spec = found.get().path("spec");
      String address = Json.textOr(spec, "", "clusterIP");
      int port = spec.path("ports").path(0).path("port").asInt(0);
      service = address + ":" + port;
      socket.connect(new InetSocketAddress(InetAddress.ofLiteral(address), port), CONNECT_MILLIS);
      return Optional.empty();
    } catch (GeneralSecurityException | ApiException | ConnectionException e) {
      return Optional.empty();
    } catch (IOException e) {
      return service.isEmpty()
          ? Optional.empty()
          : Optional.of(context.text("status.noservice", service, String.valueOf(e.getMessage())));
    }
  }

  private Optional<Component> dns() {
    Optional<IpAddress> address = ClusterDns.address(directory.dns()).find();
    if (address.isEmpty()) {
      return Optional.empty();
    }
    String where = address.get().toString();
    try {
      DnsClient.Response answered =
          new DnsClient(
                  new InetSocketAddress(InetAddress.ofLiteral(where), DNS_PORT),
                  Ticker.system(),
                  new SecureRandom())
              .ask("kube-dns.kube-system.svc.cluster.local.", RecordType.A);
      boolean well = answered.reply().rcode() == Rcode.NOERROR;
      String took = String.format(Locale.ROOT, "%.1f", answered.nanos() / 1e6);
      return Optional.of(
          new Component(
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

  private Component silent(String name, String where, IOException e) {
    return new Component(
        name,
        false,
        where + ", " + context.text("status.notready", String.valueOf(e.getMessage())),
        "probe");
  }

  /// By its report: whether NetworkPolicies hold here.
  private Optional<Component> policy() {
    if (!Files.exists(directory.agent().resolve("active"))) {
      return Optional.empty();
    }
    try (Client client = client()) {
      boolean enforced =
          client
              .find(ResourceType.LEASES, PolicyReport.key(UpNodeOptionReader.NAME))
              .map(PolicyReport::of)
              .filter(report -> report.lives(context.clock().instant()))
              .isPresent();
      return Optional.of(
          new Component(
              "policy",
              enforced,
              context.text(enforced ? "status.policy.on" : "status.policy.off"),
              "api"));
    } catch (IOException | GeneralSecurityException | ApiException | ConnectionException e) {
      return Optional.of(
          new Component(
              "policy",
              false,
              context.text("status.notready", String.valueOf(e.getMessage())),
              "api"));
    }
  }

  private Optional<Component> agent() {
    if (!Files.exists(directory.agent().resolve("active"))) {
      return Optional.empty();
    }
    try (Client client = client()) {
      Optional<ObjectNode> node =
          client.find(ResourceType.NODES, new ObjectKey("", UpNodeOptionReader.NAME));
      boolean ready = node.map(NodeComponents::isReady).orElse(false);
      return Optional.of(
          new Component(
              "agent",
              ready,
              "node "
                  + UpNodeOptionReader.NAME
                  + ", "
                  + (ready
                      ? context.text("status.ready")
                      : context.text("status.notready", UpNodeOptionReader.NAME)),
              "api"));
    } catch (IOException | GeneralSecurityException | ApiException | ConnectionException e) {
      return Optional.of(
          new Component(
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
            ClientConfig.of(
                URI.create(instance.url()),
                new Trust.Certificates(
                    PemParser.certificates(Files.readAllBytes(pki.resolve("ca.crt")))),
                new ClientIdentity.ClientCertificate(
                    PemParser.certificates(Files.readAllBytes(pki.resolve("admin.crt"))),
                    PemParser.privateKey(Files.readAllBytes(pki.resolve("admin.key"))))),
            "fairlead-status"));
  }
}
