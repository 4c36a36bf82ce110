package io.fairlead.proxy.runtime;

import io.fairlead.api.json.Json;
import io.fairlead.client.time.Pacer;
import io.fairlead.proxy.config.HostPort;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.health.HealthPaths;
import io.fairlead.proxy.health.ProxyHealth;
import io.fairlead.proxy.http.HttpEndpoint;
import io.fairlead.proxy.http.HttpEndpoint.Answer;
import io.fairlead.proxy.http.HttpEndpoint.Question;
import io.fairlead.proxy.metrics.ProxyMetrics;
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
public final class Servers implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Servers.class);
  private static final Duration AGAIN = Duration.ofSeconds(5);

  private final ProxyConfiguration configuration;
  private final Supplier<String> mode;
  private final ProxyHealth health;
  private final ProxyMetrics metrics;
  private final Supplier<String> dump;
  private final List<Thread> retries = new ArrayList<>();
  private volatile @Nullable HttpEndpoint healthServer;
  private volatile @Nullable HttpEndpoint metricsServer;

  Servers(
      ProxyConfiguration configuration,
      Supplier<String> mode,
      ProxyHealth health,
      ProxyMetrics metrics,
      Supplier<String> dump) {
    this.configuration = configuration;
    this.mode = mode;
    this.health = health;
    this.metrics = metrics;
    this.dump = dump;
  }

  /// @param failed is told reason and message of a server that does not start
  void start(Pacer pacer, BiConsumer<String, String> failed) {
    HealthPaths paths = new HealthPaths(health, metrics::answered);
    run(
        pacer,
        "healthzBindAddress",
        paths,
        endpoint -> healthServer = endpoint,
        why -> failed.accept("FailedToStartProxierHealthcheck", why));
    run(
        pacer,
        "metricsBindAddress",
        this::answer,
        endpoint -> metricsServer = endpoint,
        why -> failed.accept("FailedToStartMetricServer", why));
  }

  private void run(
      Pacer pacer,
      String field,
      Function<Question, Answer> handler,
      Consumer<HttpEndpoint> opened,
      Consumer<String> failed) {
    InetSocketAddress address = HostPort.parse(configuration.text(field));
    if (address == null) {
      return;
    }
    try {
      opened.accept(new HttpEndpoint(address, handler));
    } catch (IOException e) {
      String why = "cannot listen on " + configuration.text(field) + ": " + e.getMessage();
      if (configuration.on("bindAddressHardFail")) {
        throw new DataPlaneException(field + ": " + why, e);
      }
      log.atError().addKeyValue("field", field).log(why + ", trying again every 5 s");
      failed.accept(why);
      retries.add(
          Thread.ofVirtual()
              .name("proxy-" + field)
              .start(() -> retry(pacer, address, handler, opened)));
    }
  }

  private static void retry(
      Pacer pacer,
      InetSocketAddress address,
      Function<Question, Answer> handler,
      Consumer<HttpEndpoint> opened) {
    try {
      while (true) {
        pacer.pause(AGAIN);
        try {
          opened.accept(new HttpEndpoint(address, handler));
          return;
        } catch (IOException _) {
          log.atDebug().addKeyValue("address", address).log("still cannot listen");
        }
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private Answer answer(Question question) {
    return switch (question.path()) {
      case "/metrics" -> Answer.of(200, "text/plain; version=0.0.4; charset=utf-8", metrics.text());
      case "/healthz" -> Answer.text(200, "ok");
      case "/proxyMode" -> Answer.text(200, mode.get());
      case "/configz" ->
          Answer.of(
              200,
              "application/json",
              new String(
                  Json.bytes(Json.object().set("kubeproxy.config.k8s.io", configuration.tree())),
                  StandardCharsets.UTF_8));
      case "/debug/services" -> Answer.text(200, dump.get());
      default -> Answer.notFound();
    };
  }

  /// Where the health server listens; empty while it does not.
  public Optional<InetSocketAddress> healthAddress() {
    return Optional.ofNullable(healthServer).map(HttpEndpoint::address);
  }

  /// Where the metrics server listens; empty while it does not.
  public Optional<InetSocketAddress> metricsAddress() {
    return Optional.ofNullable(metricsServer).map(HttpEndpoint::address);
  }

  @Override
  public void close() {
    retries.forEach(Thread::interrupt);
    HttpEndpoint first = healthServer;
    if (first != null) {
      first.close();
    }
    HttpEndpoint second = metricsServer;
    if (second != null) {
      second.close();
    }
  }
}
