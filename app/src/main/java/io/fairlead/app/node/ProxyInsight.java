package io.fairlead.app.node;

import io.fairlead.agent.api.NodeInsightServer;
import io.fairlead.agent.api.NodeServerOptions;
import io.fairlead.app.review.PublishedClientCa;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.ConnectionException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The node API of a proxy that runs alone, over TLS: its certificate is made at the start, and its
/// fingerprint stands in the proxy's report. Who may ask is decided as at an agent's server.
public final class ProxyInsight {
  private static final Logger log = LoggerFactory.getLogger(ProxyInsight.class);

  private ProxyInsight() {}

  /// Listens from now on. Where that cannot be, the proxy does its work without.
  ///
  /// @param client asks the API server about tokens and rights
  /// @param connection whose CA signs client certificates where the cluster publishes no other
  /// @return what ends it; empty when it does not listen
  public static Optional<NodeInsightServer> open(
      InetSocketAddress address, Client client, ClientConfig connection, NodeProxy proxy) {
    NodeServerOptions options =
        NodeServerAuth.options(
                client,
                authorities(client, connection),
                proxy.nodeName(),
                List.of(),
                address.getAddress().getHostAddress(),
                address.getPort(),
                false)
            .with(NodeInsight.of(proxy.nodeApi()));
    try {
      NodeInsightServer server = NodeInsightServer.open(options);
      proxy.tellNodeApi(options.fingerprint());
      return Optional.of(server);
    } catch (IOException e) {
      log.atWarn()
          .addKeyValue("address", address)
          .addKeyValue("why", e.getMessage())
          .log("questions about the node are answered at the Unix socket only");
      return Optional.empty();
    }
  }

  private static List<X509Certificate> authorities(Client client, ClientConfig connection) {
    List<X509Certificate> published = published(client);
    return published.isEmpty() && connection.trust() instanceof Trust.Certificates(var roots)
        ? roots
        : published;
  }

  private static List<X509Certificate> published(Client client) {
    try {
      return PublishedClientCa.of(client);
    } catch (ConnectionException e) {
      log.atInfo().addKeyValue("why", e.getMessage()).log("the cluster's client CA was not read");
      return List.of();
    }
  }
}
