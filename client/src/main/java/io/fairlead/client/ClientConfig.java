package io.fairlead.client;

import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import java.net.URI;
import java.util.Optional;

/// Where a server is, why it is believed, and who is calling: all a transport needs.
///
/// @param server scheme, host, port and an optional path in front of every request
/// @param tlsServerName the name to expect in the server's certificate instead of the host
/// @param namespace what a request without a namespace means
public record ClientConfig(
    URI server,
    Trust trust,
    Optional<String> tlsServerName,
    ClientIdentity identity,
    String namespace) {

  public ClientConfig {
    String scheme = server.getScheme();
    if (!"https".equals(scheme) && !"http".equals(scheme)) {
      throw new IllegalArgumentException("server " + server + " is no http or https address");
    }
    if (server.getHost() == null) {
      throw new IllegalArgumentException("server " + server + " names no host");
    }
  }

  public static ClientConfig of(URI server, Trust trust, ClientIdentity identity) {
    return new ClientConfig(server, trust, Optional.empty(), identity, "default");
  }

  public boolean encrypted() {
    return "https".equals(server.getScheme());
  }

  /// The port to connect to, also when the address leaves it out.
  public int port() {
    return server.getPort() >= 0 ? server.getPort() : encrypted() ? 443 : 80;
  }

  /// The path in front of every request, without a slash at its end.
  public String basePath() {
    String path = server.getRawPath() == null ? "" : server.getRawPath();
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
