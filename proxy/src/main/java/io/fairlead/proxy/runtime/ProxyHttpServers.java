package io.fairlead.proxy.runtime;

import io.fairlead.api.json.Json;
import io.fairlead.http.status.StatusHttpServer;
import io.fairlead.http.status.StatusPage;
import io.fairlead.http.status.StatusRequest;
import io.fairlead.proxy.config.BindAddress;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.monitoring.HealthzHandler;
import io.fairlead.proxy.monitoring.ProxyHealth;
import io.fairlead.proxy.monitoring.ProxyMetrics;
import io.fairlead.work.SupervisedLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The two servers people and load balancers ask: health, and metrics with configuration and state.
/// One whose port is taken is tried again every five seconds, unless the configuration says that
/// the proxy shall end then.
public final class ProxyHttpServers implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ProxyHttpServers.class);
  static final String RETRY_LOOP = "proxy-listen";
  private static final Duration AGAIN = Duration.ofSeconds(5);

  private final ProxyConfiguration configuration;
  private final Supplier<ProxyMode> mode;
  private final ProxyHealth health;
  private final ProxyMetrics metrics;
  private final Supplier<String> dump;
  private final List<SupervisedLoop> retries = new ArrayList<>();
  private volatile @Nullable StatusHttpServer healthServer;
  private volatile @Nullable StatusHttpServer metricsServer;

  ProxyHttpServers(
      ProxyConfiguration configuration,
      Supplier<ProxyMode> mode,
      ProxyHealth health,
      ProxyMetrics metrics,
      Supplier<String> dump) {
    this.configuration = configuration;
    this.mode = mode;
    this.health = health;
    this.metrics = metrics;
    this.dump = dump;
  }

  /// @param failed gets reason and message of a server that does not start
  void start(BiConsumer<String, String> failed) {
    HealthzHandler paths = new HealthzHandler(health, metrics::answered);
    run(
        "healthzBindAddress",
        paths,
        endpoint -> healthServer = endpoint,
        why -> failed.accept("FailedToStartProxierHealthcheck", why));
    run(
        "metricsBindAddress",
        this::answer,
        endpoint -> metricsServer = endpoint,
        why -> failed.accept("FailedToStartMetricServer", why));
  }

  private void run(
      String field,
      Function<StatusRequest, StatusPage> handler,
      Consumer<StatusHttpServer> opened,
      Consumer<String> failed) {
    InetSocketAddress address = BindAddress.parse(configuration.text(field));
    if (address == null) {
      return;
    }
    try {
      opened.accept(new StatusHttpServer(address, handler));
    } catch (IOException e) {
      String why = "cannot listen on " + configuration.text(field) + ": " + e.getMessage();
      if (configuration.on("bindAddressHardFail")) {
        throw new DataPlaneException(field + ": " + why, e);
      }
      log.atError().addKeyValue("field", field).log(why + ", trying again every 5 s");
      failed.accept(why);
      Retry retry = new Retry(field, address, handler, opened);
      retries.add(retry.loop);
      retry.loop.start();
    }
  }

  /// Tries to listen until it succeeds: the loop `proxy-listen`.
  private static final class Retry {
    private final InetSocketAddress address;
    private final Function<StatusRequest, StatusPage> handler;
    private final Consumer<StatusHttpServer> opened;
    private final SupervisedLoop loop;

    Retry(
        String field,
        InetSocketAddress address,
        Function<StatusRequest, StatusPage> handler,
        Consumer<StatusHttpServer> opened) {
      this.address = address;
      this.handler = handler;
      this.opened = opened;
      this.loop = SupervisedLoop.of(RETRY_LOOP).key(field).afterEach(AGAIN).build(this::listen);
    }

    private void listen() {
      try {
        opened.accept(new StatusHttpServer(address, handler));
        loop.finish();
      } catch (IOException _) {
        log.atDebug().addKeyValue("address", address).log("still cannot listen");
      }
    }
  }

  private StatusPage answer(StatusRequest question) {
    return switch (question.path()) {
      case "/metrics" ->
          StatusPage.of(200, "text/plain; version=0.0.4; charset=utf-8", metrics.text());
      case "/healthz" -> StatusPage.text(200, "ok");
      case "/proxyMode" -> StatusPage.text(200, mode.get().toString());
      case "/configz" ->
          StatusPage.of(
              200,
              "application/json",
              new String(
                  Json.bytes(Json.object().set("kubeproxy.config.k8s.io", configuration.tree())),
                  StandardCharsets.UTF_8));
      case "/debug/services" -> StatusPage.text(200, dump.get());
      default -> StatusPage.notFound();
    };
  }

  /// Where the health server listens; empty while it does not.
  public Optional<InetSocketAddress> healthAddress() {
    return Optional.ofNullable(healthServer).map(StatusHttpServer::address);
  }

  /// Where the metrics server listens; empty while it does not.
  public Optional<InetSocketAddress> metricsAddress() {
    return Optional.ofNullable(metricsServer).map(StatusHttpServer::address);
  }

  @Override
  public void close() {
    retries.forEach(SupervisedLoop::close);
    StatusHttpServer first = healthServer;
    if (first != null) {
      first.close();
    }
    StatusHttpServer second = metricsServer;
    if (second != null) {
      second.close();
    }
  }
}
