package io.fairlead.dns.status;

import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.ServerKey;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.http.status.StatusPage;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The page, and which plugins stand in which block.
final class PrometheusPlugin implements Plugin {
  private static final String PATH = "/metrics";
  private static final int OK = 200;

  private final ListenAddress address;
  private final BlockContext context;
  private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
  private final Supplier<StatusPage> page = this::page;
  private SharedResources.@Nullable Handle<StatusServer> server;

  PrometheusPlugin(ListenAddress address, BlockContext context) {
    this.address = address;
    this.context = context;
  }

  @Override
  public String name() {
    return "prometheus";
  }

  @Override
  public List<? extends Record> options() {
    return List.of(address);
  }

  @Override
  public void start() {
    SharedResources.Handle<StatusServer> taken = StatusServer.take(context.instance(), address);
    server = taken;
    taken.get().show(PATH, page);
    Metrics metrics = context.instance().metrics();
    Gauge enabled =
        metrics.gauge(
            "coredns_plugin_enabled",
            "A metric that indicates whether a plugin is enabled on per server and zone basis.",
            "server",
            "zone",
            "view",
            "name");
    for (ServerKey key : context.block().keys()) {
      String listener = key.scheme().text() + "://:" + key.port();
      for (Plugin plugin : context.plugins()) {
        enabled.labelValues(listener, key.zone().toString(), "", plugin.name()).set(1);
      }
    }
  }

  /// Where it listens, for tests with a port of the kernel's choice.
  InetSocketAddress listening() {
    if (server == null) {
      throw new IllegalStateException("not started");
    }
    return server.get().address();
  }

  private StatusPage page() {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      writer.write(out, context.instance().metrics().registry().scrape());
      return new StatusPage(OK, writer.getContentType(), out.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void stop() {
    if (server != null) {
      server.get().remove(PATH, page);
      server.close();
      server = null;
    }
  }
}
