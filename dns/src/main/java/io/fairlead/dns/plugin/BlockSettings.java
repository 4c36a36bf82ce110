package io.fairlead.dns.plugin;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// How the listeners of a server block behave. Changed only while plugins are made, by one thread.
public final class BlockSettings {
  /// Whether clients must show a certificate.
  public enum ClientAuthentication {
    NONE,
    WANTED,
    NEEDED
  }

  /// The most an answer over UDP may have unless somebody says otherwise: what passes every usual
  /// link in one piece (spec/dns.md Q12).
  public static final int UDP_LIMIT = 1232;

  private List<String> bind = List.of();
  private @Nullable Supplier<SSLContext> tls;
  private ClientAuthentication clientAuthentication = ClientAuthentication.NONE;
  private OptionalInt sockets = OptionalInt.empty();
  private Duration readTimeout = Duration.ofSeconds(3);
  private Duration writeTimeout = Duration.ofSeconds(5);
  private Duration idleTimeout = Duration.ofSeconds(10);
  private int maxTcpQueries = -1;
  private int udpLimit = UDP_LIMIT;

  /// Addresses to listen on; empty for all.
  public List<String> bind() {
    return bind;
  }

  public void bind(List<String> addresses) {
    bind = List.copyOf(addresses);
  }

  /// Null when the block has no `tls`. Asked for each connection, so that a renewed certificate
  /// counts at once.
  public @Nullable Supplier<SSLContext> tls() {
    return tls;
  }

  public ClientAuthentication clientAuthentication() {
    return clientAuthentication;
  }

  public void tls(Supplier<SSLContext> context, ClientAuthentication authentication) {
    tls = context;
    clientAuthentication = authentication;
  }

  /// UDP sockets for each address; empty for one per core.
  public OptionalInt sockets() {
    return sockets;
  }

  public void sockets(int count) {
    sockets = OptionalInt.of(count);
  }

  public Duration readTimeout() {
    return readTimeout;
  }

  public void readTimeout(Duration time) {
    readTimeout = time;
  }

  public Duration writeTimeout() {
    return writeTimeout;
  }

  public void writeTimeout(Duration time) {
    writeTimeout = time;
  }

  public Duration idleTimeout() {
    return idleTimeout;
  }

  public void idleTimeout(Duration time) {
    idleTimeout = time;
  }

  /// Queries per TCP connection; negative for any number.
  public int maxTcpQueries() {
    return maxTcpQueries;
  }

  public void maxTcpQueries(int count) {
    maxTcpQueries = count;
  }

  /// The most bytes of an answer over UDP, whatever the client offers.
  public int udpLimit() {
    return udpLimit;
  }

  public void udpLimit(int bytes) {
    udpLimit = bytes;
  }
}
