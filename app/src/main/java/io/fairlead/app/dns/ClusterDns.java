package io.fairlead.app.dns;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.app.node.LoopbackAddress;
import io.fairlead.app.node.ServiceRoute;
import io.fairlead.client.Client;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.server.DnsServer;
import io.fairlead.work.Pacer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.UnaryOperator;

/// The DNS of a cluster on one machine: the server, the address it has on the loopback interface,
/// and the Service that names it.
///
/// Closing it takes address and route away: no server listens there any more.
public final class ClusterDns implements AutoCloseable {
  /// Where the server runs and whom it asks.
  ///
  /// @param address its cluster IP
  /// @param range of all cluster IPs of that family
  /// @param domain `cluster.local`
  /// @param api where the API is
  /// @param pki holds the certificate it shows there, and the CA
  /// @param directory keeps its Corefile and the record of its address
  /// @param resolvConf names who knows all other names
  public record Config(
      IpAddress address,
      Cidr range,
      int port,
      String domain,
      URI api,
      Path pki,
      Path directory,
      Path resolvConf) {}

  /// The name of the identity the server shows to the API.
  public static final String IDENTITY = ClusterCorefile.IDENTITY;

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration GLANCE = Duration.ofMillis(5);

  private final LoopbackAddress address;
  private final DnsServer server;

  private ClusterDns(LoopbackAddress address, DnsServer server) {
    this.address = address;
    this.server = server;
  }

  /// The address of the server that keeps its files there.
  public static LoopbackAddress address(Path directory) {
    return new LoopbackAddress(directory);
  }

  /// Starts it and returns when it answers. When anything fails, nothing of it stays.
  ///
  /// @param admin may write Services of kube-system
  /// @param sharing gives its client what it shares with others of the process
  public static ClusterDns start(
      Config place, Client admin, InstantSource clock, Pacer pacer, UnaryOperator<Client> sharing)
      throws SetupException, InterruptedException {
    DnsService.ensure(admin, place.address());
    LoopbackAddress address = address(place.directory());
    address.add(place.address());
    try {
      ServiceRoute.add(place.range());
      Path corefile = write(place);
      DnsServer server =
          NameServer.start(
              CorefileConfiguration.of(corefile.toString(), place.port(), Map.of()),
              clock,
              sharing);
      ClusterDns dns = new ClusterDns(address, server);
      try {
        awaitNames(server, pacer);
        return dns;
      } catch (RuntimeException | InterruptedException e) {
        server.close();
        throw e;
      }
    } catch (RuntimeException | SetupException | InterruptedException e) {
      ServiceRoute.remove();
      address.remove();
      throw e;
    }
  }

  private static Path write(Config place) {
    try {
      Path file = Files.createDirectories(place.directory()).resolve("Corefile");
      String resolvConf =
          Files.isReadable(place.resolvConf()) ? Files.readString(place.resolvConf()) : "";
      return Files.writeString(
          file,
          new ClusterCorefile(
                  place.address(),
                  place.port(),
                  place.domain(),
                  place.api(),
                  place.pki(),
                  ClusterCorefile.upstreams(resolvConf, place.address()))
              .text());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitNames(DnsServer server, Pacer pacer) throws InterruptedException {
    for (Duration left = PATIENCE; !server.ready(); left = left.minus(GLANCE)) {
      if (!left.isPositive()) {
        throw new IllegalStateException(
            "the names of Services could not be read within " + PATIENCE.toSeconds() + " s");
      }
      pacer.pause(GLANCE);
    }
  }

  /// Whether all its plugins say that they work.
  public boolean ready() {
    return server.ready();
  }

  @Override
  public void close() {
    server.close();
    ServiceRoute.remove();
    address.remove();
  }
}
