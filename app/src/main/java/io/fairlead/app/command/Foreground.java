package io.fairlead.app.command;

import io.fairlead.app.Assembly;
import io.fairlead.app.Options;
import io.fairlead.app.Progress;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Exit;
import io.fairlead.app.cli.Problem;
import io.fairlead.client.time.Pacer;
import io.fairlead.server.ApiServer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Starts an instance in this process and stays until a signal ends it.
///
/// How it works: TERM and INT make the JVM run its shutdown hook. The hook closes the parts, which
/// drains requests, and then ends the JVM with exit code 0 (left alone, the JVM would report the
/// signal as a failure). While a start is under way the hook waits for nothing: what was begun is
/// durable or not there. Whoever sends INT or TERM a second time has waited long enough: the
/// process ends at once. HUP reads files again, USR1 logs what the proxy knows.
final class Foreground {
  private static final Logger log = LoggerFactory.getLogger(Foreground.class);

  private final Context context;
  private final Assembly assembly;

  Foreground(Context context, Assembly assembly) {
    this.context = context;
    this.assembly = assembly;
  }

  int run(
      Options options, Optional<Path> kubeconfig, Progress progress, Consumer<String> whenReady) {
    ApiServer.preload();
    Serving serving;
    try {
      serving = Serving.start(options, kubeconfig, assembly, progress, context);
    } catch (Problem e) {
      log.atError().setCause(e.getCause()).log(e.render(context.messages()).strip());
      throw e;
    }
    Thread hook =
        Thread.ofPlatform()
            .name("shutdown")
            .unstarted(
                () -> {
                  log.atInfo().log("stopping");
                  serving.close();
                  log.atInfo().log("stopped");
                  Runtime.getRuntime().halt(Exit.FINE);
                });
    Runtime.getRuntime().addShutdownHook(hook);
    Signals.on("HUP", serving::reload);
    Signals.onDump(() -> log.atInfo().log(serving.dump()));
    stopTwiceMeansNow("INT", Exit.INTERRUPTED);
    stopTwiceMeansNow("TERM", Exit.FINE);
    log.atInfo().addKeyValue("url", serving.url()).log("ready");
    ServiceManager.ready(context.environment(), serving.url());
    whenReady.accept(serving.url());
    try {
      new HeapKeeper().keep(Pacer.system());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Exit.FINE;
  }

  /// The first signal begins the orderly end, on a thread of its own so that a second can be heard.
  private static void stopTwiceMeansNow(String signal, int exit) {
    AtomicBoolean stopping = new AtomicBoolean();
    Signals.on(
        signal,
        () -> {
          if (stopping.getAndSet(true)) {
            Runtime.getRuntime().halt(exit);
          }
          Thread.ofPlatform().name("stop").start(() -> System.exit(Exit.FINE));
        });
  }
}
