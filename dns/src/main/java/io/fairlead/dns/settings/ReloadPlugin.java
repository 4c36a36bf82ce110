package io.fairlead.dns.settings;

import io.fairlead.dns.corefile.Corefile;
import io.fairlead.dns.corefile.CorefileImports;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.work.SupervisedLoop;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the Corefile at an interval and reloads the server when it has changed.
///
/// The loop ends with the configuration it belongs to: a successful reload stops this plugin, from
/// the loop's own thread, and starts the plugin of the new configuration.
final class ReloadPlugin implements Plugin {
  private static final Logger log = LoggerFactory.getLogger(ReloadPlugin.class);
  private static final int ANY_PORT = 53;

  /// @param jitter how much shorter or longer a single interval may be
  record Options(Duration interval, Duration jitter) {}

  private final Options options;
  private final InstanceContext instance;
  private final Counter failed;
  private final Gauge version;
  private volatile @Nullable SupervisedLoop watcher;
  // Owned by the watcher.
  private boolean begun;
  private @Nullable String seen;

  ReloadPlugin(Options options, InstanceContext instance) {
    this.options = options;
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
  public List<? extends Record> options() {
    return List.of(options);
  }

  @Override
  public void start() {
    Optional<Path> file = instance.control().corefile();
    if (file.isPresent()) {
      SupervisedLoop loop = SupervisedLoop.of("dns-reload").build(() -> check(file.get()));
      watcher = loop;
      loop.start();
    }
  }

  private void check(Path file) throws InterruptedException {
    if (!begun) {
      seen = fingerprint(file);
      show(seen);
      begun = true;
    }
    instance.pacer().pause(pause());
    String now = fingerprint(file);
    SupervisedLoop self = watcher;
    if (now == null || now.equals(seen) || self == null) {
      return;
    }
    log.atInfo().addKeyValue("file", file).log("the configuration changed, reloading");
    boolean reloaded = instance.control().reload();
    seen = now;
    if (reloaded) {
      show(now);
      self.finish();
    } else if (!self.isClosing()) {
      failed.inc();
    }
  }

  private void show(@Nullable String fingerprint) {
    if (fingerprint != null) {
      version.clear();
      version.labelValues("sha512", fingerprint).set(1);
    }
  }

  private Duration pause() {
    long spread = options.jitter().toNanos();
    return options.interval().plusNanos(instance.random().nextLong(-spread, spread + 1));
  }

  /// Null when the file cannot be read now; a file that cannot be parsed still has one, so that a
  /// reload logs what is wrong with it.
  private static @Nullable String fingerprint(Path file) {
    String text;
    try {
      text = CorefileImports.files().read(file);
    } catch (IOException e) {
      log.atWarn().addKeyValue("file", file).setCause(e).log("cannot read the configuration");
      return null;
    }
    try {
      return Corefile.parse(file, text, ANY_PORT, CorefileImports.files(), System::getenv)
          .fingerprint();
    } catch (SetupException e) {
      return "bad: " + text.hashCode();
    }
  }

  @Override
  public void stop() {
    SupervisedLoop running = watcher;
    if (running != null) {
      running.close();
    }
  }
}
