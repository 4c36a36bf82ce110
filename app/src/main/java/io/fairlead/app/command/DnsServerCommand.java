package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Exit;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.cli.Version;
import io.fairlead.app.dns.CorefileConfiguration;
import io.fairlead.app.dns.NameServer;
import io.fairlead.app.dns.Signals;
import io.fairlead.app.logging.Logging;
import io.fairlead.dns.StandardPlugins;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.server.DnsServer;
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
  private static final Logger log = LoggerFactory.getLogger(DnsServerCommand.class);

  @Override
  public int run(Arguments arguments, Context context) {
    PrintStream out = context.terminal().out();
    if (arguments.on("version")) {
      out.println("Fairlead-" + Version.current());
      return Exit.FINE;
    }
    if (arguments.on("plugins")) {
      StandardPlugins.byName().keySet().forEach(name -> out.println("dns." + name));
      return Exit.FINE;
    }
    Logging.to(context.terminal().err(), arguments.text("logging-format"), arguments.number("v"));
    CorefileConfiguration configuration = configuration(arguments, context);
    try {
      if (arguments.on("check")) {
        NameServer.check(configuration, context.clock());
        return Exit.FINE;
      }
      return serve(NameServer.start(configuration, context.clock()), arguments, context);
    } catch (SetupException e) {
      throw new Problem(Code.FL218, e, configuration.shown(), String.valueOf(e.getMessage()));
    }
  }

  private static CorefileConfiguration configuration(Arguments arguments, Context context) {
    CorefileConfiguration configuration =
        CorefileConfiguration.of(
            arguments.find("conf").orElse(""), arguments.number("dns.port"), context.environment());
    return switch (arguments.text("unknown-plugins")) {
      case "error" -> configuration;
      case "warn" -> configuration.skippingAllBut(StandardPlugins.byName().keySet());
      default ->
          throw new Problem(
              Code.FL303, "--unknown-plugins", arguments.text("unknown-plugins"), "error|warn");
    };
  }

  private static int serve(DnsServer server, Arguments arguments, Context context) {
    writePid(arguments.find("pidfile").orElse(""));
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("shutdown")
                .unstarted(
                    () -> {
                      log.atInfo().log("stopping");
                      server.close();
                      log.atInfo().log("stopped");
                      Runtime.getRuntime().halt(Exit.FINE);
                    }));
    Signals.on("USR1", server::reload);
    if (!arguments.on("quiet")) {
      server.listening().keySet().forEach(key -> context.terminal().out().println(key));
      context.terminal().out().println("Fairlead-" + Version.current());
    }
    ServiceManager.ready(context.environment(), server.listening().keySet().toString());
    try {
      server.awaitStop();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      server.close();
    }
    return Exit.FINE;
  }

  private static void writePid(String file) {
    if (file.isEmpty()) {
      return;
    }
    try {
      Files.writeString(Path.of(file), ProcessHandle.current().pid() + "\n");
    } catch (IOException e) {
      throw new Problem(Code.FL218, e, file, "cannot write the process id: " + e.getMessage());
    }
  }
}
