package io.fairlead.dns.plugin;

/// What a server key begins with.
public enum Scheme {
  DNS("dns", 53),
  TLS("tls", 853),
  HTTPS("https", 443);

  private final String text;
  private final int port;

  Scheme(String text, int port) {
    this.text = text;
    this.port = port;
  }

  /// `dns`, without `://`.
  public String text() {
    return text;
  }

  public int defaultPort() {
    return port;
  }
}
