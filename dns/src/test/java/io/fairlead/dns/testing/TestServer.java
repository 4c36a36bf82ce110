package io.fairlead.dns.testing;

import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.time.Pacer;
import io.fairlead.client.time.Ticker;
import io.fairlead.dns.StandardPlugins;
import io.fairlead.dns.corefile.Corefile;
import io.fairlead.dns.corefile.Sources;
import io.fairlead.dns.kubernetes.KubernetesFactory;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.Scheme;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.server.Configuration;
import io.fairlead.dns.server.DnsServer;
import io.fairlead.dns.server.Environment;
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
public final class TestServer implements AutoCloseable {
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private final DnsServer server;
  private volatile String corefile;

  /// @param corefile keys have port 0
  /// @param cluster opens a connection to the API
  /// @param own the addresses of the server, as the cluster knows it
  /// @param more plugins that stand in for those of the same name
  public TestServer(
      String corefile, Supplier<Client> cluster, List<String> own, List<PluginFactory> more)
      throws SetupException {
    this.corefile = corefile;
    Map<String, PluginFactory> plugins = new HashMap<>(StandardPlugins.byName());
    List<IpAddress> addresses = own.stream().map(IpAddress::parse).toList();
    plugins.put("kubernetes", new KubernetesFactory(_ -> cluster.get(), _ -> addresses));
    more.forEach(plugin -> plugins.put(plugin.name(), plugin));
    Environment environment =
        new Environment(
            plugins,
            InstantSource.system(),
            Ticker.system(),
            Pacer.system(),
            new SecureRandom(),
            Environment.SLOW_QUERIES);
    this.server = DnsServer.start(new Text(), environment);
  }

  private final class Text implements Configuration {
    @Override
    public Corefile read() throws SetupException {
      return Corefile.parse(Path.of("Corefile"), corefile, 53, Sources.files(), System::getenv);
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
  public TestServer awaitCluster(String name) {
    await().atMost(PATIENCE).until(() -> Ask.udp(address(), name, "A").header().rcode() == 0);
    return this;
  }

  /// Waits until the whole cluster is known: only then is anything denied.
  public TestServer awaitDenial() {
    await()
        .atMost(PATIENCE)
        .until(() -> Ask.udp(address(), "nosuch.svc.cluster.local", "A").rcode() == 3);
    return this;
  }

  @Override
  public void close() {
    server.close();
  }
}
