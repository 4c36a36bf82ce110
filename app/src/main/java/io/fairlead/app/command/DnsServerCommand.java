package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.FairleadVersion;
import io.fairlead.app.dns.CorefileConfiguration;
import io.fairlead.app.dns.NameServer;
import io.fairlead.app.logging.Logging;
import io.fairlead.dns.StandardPlugins;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.server.DnsServer;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `fairlead dns-server`: the DNS server alone, in the place of CoreDNS and with its flags.
///
/// USR1 reads the Corefile again. TERM and INT end in order: `health` gets its lame duck time while
/// questions are still answered.
public final class DnsServerCommand implements Command {
  /// What the names of a cluster of ten thousand Services take.
  private static final long HEAP = 48L << 20;

  private static final Logger log = LoggerFactory.getLogger(DnsServerCommand.class);

  @Override
  public int run(Arguments arguments, CommandContext context) {
    PrintStream out = context.terminal().out();
    if (arguments.on("version")) {
      out.println("Fairlead-" + FairleadVersion.current());
      return ExitCode.FINE;
    }
    if (arguments.on("plugins")) {
      StandardPlugins.byName().keySet().forEach(name -> out.println("dns." + name));
      return ExitCode.FINE;
    }
    Logging.to(context.terminal().err(), arguments.text("logging-format"), arguments.number("v"));
    CorefileConfiguration configuration = configuration(arguments, context);
    try {
      if (arguments.on("check")) {
        NameServer.check(configuration, context.clock());
        return ExitCode.FINE;
      }
      return serve(NameServer.start(configuration, context.clock()), arguments, context);
    } catch (SetupException e) {
      throw new FairleadException(
          ErrorCode.FL218, e, configuration.shown(), String.valueOf(e.getMessage()));
    }
  }

  private static CorefileConfiguration configuration(Arguments arguments, CommandContext context) {
    CorefileConfiguration configuration =
        CorefileConfiguration.of(
            arguments.find("conf").orElse(""), arguments.number("dns.port"), context.environment());
    return switch (arguments.text("unknown-plugins")) {
      case "error" -> configuration;
      case "warn" -> configuration.skippingAllBut(StandardPlugins.byName().keySet());
      default ->
          throw new FairleadException(
              ErrorCode.FL303,
              "--unknown-plugins",
              arguments.text("unknown-plugins"),
              "error|warn");
    };
  }

  private static int serve(DnsServer server, Arguments arguments, CommandContext context) {
    writePid(arguments.find("pidfile").orElse(""));
    Tasks.atExit(
        "shutdown",
        () -> {
          log.atInfo().log("stopping");
          server.close();
          log.atInfo().log("stopped");
          Runtime.getRuntime().halt(ExitCode.FINE);
        });
    ProcessSignals.on("USR1", server::reload);
    if (!arguments.on("quiet")) {
      server.listening().keySet().forEach(key -> context.terminal().out().println(key));
      context.terminal().out().println("Fairlead-" + FairleadVersion.current());
    }
    SystemdNotifier.ready(context.environment(), server.listening().keySet().toString());
    // A flood of names that upstreams do not answer leaves much behind.
    try (SupervisedLoop _ = new HeapGrowthLimiter(HEAP).start()) {
      server.awaitStop();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      server.close();
    }
    return ExitCode.FINE;
  }

  private static void writePid(String file) {
    if (file.isEmpty()) {
      return;
    }
    try {
      Files.writeString(Path.of(file), ProcessHandle.current().pid() + "\n");
    } catch (IOException e) {
      throw new FairleadException(
          ErrorCode.FL218, e, file, "cannot write the process id: " + e.getMessage());
    }
  }
}
