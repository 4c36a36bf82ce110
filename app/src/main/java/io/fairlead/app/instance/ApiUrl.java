package io.fairlead.app.instance;

/// Where this machine reaches an API server that listens on an address.
public final class ApiUrl {
  private ApiUrl() {}

  /// @param address that it listens on; all of them are reached on loopback
  public static String of(String address, int port) {
    String host = address.equals("0.0.0.0") || address.equals("::") ? "127.0.0.1" : address;
    return "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
