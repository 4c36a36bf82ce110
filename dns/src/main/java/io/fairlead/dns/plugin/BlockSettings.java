package io.fairlead.dns.plugin;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// How the listeners of a server block behave. Plugins such as `bind` and `timeouts` replace it in
/// their [BlockContext] while they are made.
///
/// @param bind addresses to listen on; empty for all
/// @param tls null when the block has no `tls`; called for each connection, so that a renewed
///   certificate counts at once
/// @param sockets UDP sockets for each address; empty for one per core
/// @param maxTcpQueries queries per TCP connection; negative for any number
/// @param udpLimit the most bytes of an answer over UDP, whatever the client offers
public record BlockSettings(
    List<String> bind,
    @Nullable Supplier<SSLContext> tls,
    ClientAuthentication clientAuthentication,
    OptionalInt sockets,
    Duration readTimeout,
    Duration writeTimeout,
    Duration idleTimeout,
    int maxTcpQueries,
    int udpLimit) {
  /// Whether clients must show a certificate.
  public enum ClientAuthentication {
    NONE,
    WANTED,
    NEEDED
  }

  /// The default of `udpLimit`: what passes every usual link in one piece (spec/dns.md Q12).
  public static final int UDP_LIMIT = 1232;

  public static final BlockSettings DEFAULTS =
      new BlockSettings(
          List.of(),
          null,
          ClientAuthentication.NONE,
          OptionalInt.empty(),
          Duration.ofSeconds(3),
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          -1,
          UDP_LIMIT);

  public BlockSettings {
    bind = List.copyOf(bind);
  }

  public BlockSettings withBind(List<String> addresses) {
    return new BlockSettings(
        addresses,
        tls,
        clientAuthentication,
        sockets,
        readTimeout,
        writeTimeout,
        idleTimeout,
        maxTcpQueries,
        udpLimit);
  }

  public BlockSettings withTls(Supplier<SSLContext> context, ClientAuthentication authentication) {
    return new BlockSettings(
        bind,
        context,
        authentication,
        sockets,
        readTimeout,
        writeTimeout,
        idleTimeout,
        maxTcpQueries,
        udpLimit);
  }

  public BlockSettings withSockets(int count) {
    return new BlockSettings(
        bind,
        tls,
        clientAuthentication,
        OptionalInt.of(count),
        readTimeout,
        writeTimeout,
        idleTimeout,
        maxTcpQueries,
        udpLimit);
  }

  public BlockSettings withTimeouts(Duration read, Duration write, Duration idle) {
    return new BlockSettings(
        bind, tls, clientAuthentication, sockets, read, write, idle, maxTcpQueries, udpLimit);
  }

  public BlockSettings withMaxTcpQueries(int count) {
    return new BlockSettings(
        bind,
        tls,
        clientAuthentication,
        sockets,
        readTimeout,
        writeTimeout,
        idleTimeout,
        count,
        udpLimit);
  }

  public BlockSettings withUdpLimit(int bytes) {
    return new BlockSettings(
        bind,
        tls,
        clientAuthentication,
        sockets,
        readTimeout,
        writeTimeout,
        idleTimeout,
        maxTcpQueries,
        bytes);
  }
}
