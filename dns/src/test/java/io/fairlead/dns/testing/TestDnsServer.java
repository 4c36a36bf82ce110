package io.fairlead.dns.testing;

import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.dns.StandardPlugins;
import io.fairlead.dns.corefile.Corefile;
import io.fairlead.dns.corefile.CorefileImports;
import io.fairlead.dns.kubernetes.KubernetesFactory;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.Scheme;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.server.CorefileSource;
import io.fairlead.dns.server.DnsServer;
import io.fairlead.dns.server.DnsServerDependencies;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// A whole server on free ports of the loopback interface, with a cluster in memory.
public final class TestDnsServer implements AutoCloseable {
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private final DnsServer server;
  private volatile String corefile;

  /// @param corefile keys have port 0
  /// @param cluster opens a connection to the API
  /// @param own the addresses of the server, as the cluster knows it
  /// @param more plugins that stand in for those of the same name
  public TestDnsServer(
      String corefile, Supplier<Client> cluster, List<String> own, List<PluginFactory> more)
      throws SetupException {
    this.corefile = corefile;
    Map<String, PluginFactory> plugins = new HashMap<>(StandardPlugins.byName());
    List<IpAddress> addresses = own.stream().map(IpAddress::parse).toList();
    plugins.put("kubernetes", new KubernetesFactory(_ -> cluster.get(), _ -> addresses));
    more.forEach(plugin -> plugins.put(plugin.name(), plugin));
    DnsServerDependencies environment =
        new DnsServerDependencies(
            plugins,
            InstantSource.system(),
            Ticker.system(),
            Pacer.system(),
            new SecureRandom(),
            DnsServerDependencies.SLOW_QUERIES);
    this.server = DnsServer.start(new Text(), environment);
  }

  private final class Text implements CorefileSource {
    @Override
    public Corefile read() throws SetupException {
      return Corefile.parse(
          Path.of("Corefile"), corefile, 53, CorefileImports.files(), System::getenv);
    }

    @Override
    public Optional<Path> file() {
      return Optional.empty();
    }
  }

  /// Changes the text that the next reload reads.
  public void corefile(String text) {
    corefile = text;
  }

  public DnsServer server() {
    return server;
  }

  /// Where it answers plain DNS.
  public InetSocketAddress address() {
    return address(Scheme.DNS);
  }

  public InetSocketAddress address(Scheme scheme) {
    int port =
        server.listening().entrySet().stream()
            .filter(each -> each.getKey().scheme() == scheme)
            .map(each -> each.getValue().getFirst().getPort())
            .findFirst()
            .orElseThrow();
    return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
  }

  /// Waits until a question is answered in a way that shows the cluster is known.
  public TestDnsServer awaitCluster(String name) {
    await()
        .atMost(PATIENCE)
        .until(() -> DnsTestClient.udp(address(), name, "A").header().rcode() == 0);
    return this;
  }

  /// Waits until the whole cluster is known: only then is anything denied.
  public TestDnsServer awaitDenial() {
    await()
        .atMost(PATIENCE)
        .until(() -> DnsTestClient.udp(address(), "nosuch.svc.cluster.local", "A").rcode() == 3);
    return this;
  }

  @Override
  public void close() {
    server.close();
  }
}
