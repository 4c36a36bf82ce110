package io.fairlead.server.stream;

/// Where an aggregated API server listens, and by whom its certificate must be signed.
///
/// @param caBundle PEM; empty for the CAs of this machine
/// @param insecure believe any certificate
public record AggregatedApiEndpoint(
    String namespace, String service, int port, String caBundle, boolean insecure) {
  String serverName() {
    return service + "." + namespace + ".svc";
  }
}
