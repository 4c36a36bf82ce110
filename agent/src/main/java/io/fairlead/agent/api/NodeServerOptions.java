package io.fairlead.agent.api;

import java.util.Optional;
import javax.net.ssl.SSLContext;

/// How the node's server listens.
///
/// @param address to listen on
/// @param port 0 takes a free one
/// @param inside whether to listen in the node's network namespace, if that is not the process's
/// @param tls shows the server's certificate
/// @param fingerprint of that certificate, SHA-256 in hexadecimal: the agent writes it to the Node,
///   and the API server trusts no other
/// @param access decides which clients may ask
/// @param node its name, for those rights that are about one Node
/// @param insight answers questions about the node; empty where none does
public record NodeServerOptions(
    String address,
    int port,
    boolean inside,
    SSLContext tls,
    String fingerprint,
    NodeAccess access,
    String node,
    Optional<NodeInsightHandler> insight) {
  /// The same with another handler of questions about the node.
  public NodeServerOptions with(NodeInsightHandler handler) {
    return new NodeServerOptions(
        address, port, inside, tls, fingerprint, access, node, Optional.of(handler));
  }
}
