package io.fairlead.dns.reload;

import io.fairlead.dns.corefile.Corefile;
import io.fairlead.dns.corefile.Sources;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.SetupException;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks at the file now and then.
///
/// The loop ends with the configuration it belongs to: a successful reload stops this plugin and
/// starts the new configuration's own.
final class Reload implements Plugin {
  private static final Logger log = LoggerFactory.getLogger(Reload.class);
  private static final int ANY_PORT = 53;

  private final Duration interval;
  private final Duration jitter;
  private final InstanceContext instance;
  private final Counter failed;
  private final Gauge version;
  private @Nullable Thread watcher;

  Reload(Duration interval, Duration jitter, InstanceContext instance) {
    this.interval = interval;
    this.jitter = jitter;
    this.instance = instance;
    this.failed =
        instance
            .metrics()
            .counter(
                "coredns_reload_failed_total", "Counter of the number of failed reload attempts.");
    this.version =
        instance
            .metrics()
            .gauge(
                "coredns_reload_version_info",
                "A metric with a constant '1' value labeled by hash, and value which type of hash"
                    + " generated.",
                "hash",
                "value");
  }

  @Override
  public String name() {
    return "reload";
  }

  @Override
  public void start() {
    Optional<Path> file = instance.control().corefile();
    if (file.isPresent()) {
      watcher = Thread.ofVirtual().name("dns-reload").start(() -> watch(file.get()));
    }
  }

  private void watch(Path file) {
    String seen = fingerprint(file);
    show(seen);
    try {
      while (!Thread.currentThread().isInterrupted()) {
        instance.pacer().pause(pause());
        String now = fingerprint(file);
        if (now == null || now.equals(seen)) {
          continue;
        }
        seen = now;
        log.atInfo().addKeyValue("file", file).log("the configuration changed, reloading");
        if (instance.control().reload()) {
          show(now);
          return;
        }
        failed.inc();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void show(@Nullable String fingerprint) {
    if (fingerprint != null) {
      version.clear();
      version.labelValues("sha512", fingerprint).set(1);
    }
  }

  private Duration pause() {
    long spread = jitter.toNanos();
    return interval.plusNanos(instance.random().nextLong(-spread, spread + 1));
  }

  /// Null when the file cannot be read now; a file that cannot be parsed still has one, so that a
  /// reload tells what is wrong with it.
  private static @Nullable String fingerprint(Path file) {
    String text;
    try {
      text = Sources.files().read(file);
    } catch (IOException e) {
      log.atWarn().addKeyValue("file", file).setCause(e).log("cannot read the configuration");
      return null;
    }
    try {
      return Corefile.parse(file, text, ANY_PORT, Sources.files(), System::getenv).fingerprint();
    } catch (SetupException e) {
      return "bad: " + text.hashCode();
    }
  }

  @Override
  public void stop() {
    if (watcher != null && !watcher.equals(Thread.currentThread())) {
      watcher.interrupt();
    }
    watcher = null;
  }
}
