package io.fairlead.app.command;

import io.fairlead.app.ComponentFactory;
import io.fairlead.app.Options;
import io.fairlead.app.Progress;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.server.ApiServer;
import io.fairlead.work.Tasks;
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
/// durable or not there. A second INT or TERM ends the process at once. HUP reads files again, USR1
/// logs what the proxy knows.
final class Foreground {
  private static final Logger log = LoggerFactory.getLogger(Foreground.class);

  private final CommandContext context;
  private final ComponentFactory assembly;

  Foreground(CommandContext context, ComponentFactory assembly) {
    this.context = context;
    this.assembly = assembly;
  }

  int run(
      Options options, Optional<Path> kubeconfig, Progress progress, Consumer<String> whenReady) {
    ApiServer.preload();
    RunningInstance serving;
    try {
      serving = RunningInstance.start(options, kubeconfig, assembly, progress, context);
    } catch (FairleadException e) {
      log.atError().log(e.render(context.messages()).strip());
      log.atDebug().setCause(e.getCause()).log("cause");
      throw e;
    }
    Tasks.atExit(
        "shutdown",
        () -> {
          log.atInfo().log("stopping");
          serving.close();
          log.atInfo().log("stopped");
          Runtime.getRuntime().halt(ExitCode.FINE);
        });
    ProcessSignals.on("HUP", serving::reload);
    ProcessSignals.onDump(() -> log.atInfo().log(serving.dump()));
    stopTwiceMeansNow("INT", ExitCode.INTERRUPTED);
    stopTwiceMeansNow("TERM", ExitCode.FINE);
    log.atInfo().addKeyValue("url", serving.url()).log("ready");
    SystemdNotifier.ready(context.environment(), serving.url());
    whenReady.accept(serving.url());
    try {
      new HeapGrowthLimiter().keep();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ExitCode.FINE;
  }

  /// The first signal begins the orderly end, the second ends the process at once.
  private static void stopTwiceMeansNow(String signal, int exit) {
    AtomicBoolean stopping = new AtomicBoolean();
    ProcessSignals.on(
        signal,
        () -> {
          if (stopping.getAndSet(true)) {
            Runtime.getRuntime().halt(exit);
          }
          System.exit(ExitCode.FINE);
        });
  }
}
