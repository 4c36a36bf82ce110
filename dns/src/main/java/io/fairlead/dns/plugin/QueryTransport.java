package io.fairlead.dns.plugin;

/// How a query came.
public enum QueryTransport {
  UDP,
  TCP,
  TLS,
  HTTPS;

  /// What metrics and logs call it: encrypted ones count as `tcp`.
  public String protocol() {
    return this == UDP ? "udp" : "tcp";
  }
}
