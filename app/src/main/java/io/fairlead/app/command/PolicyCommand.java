package io.fairlead.app.command;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.status.ApiException;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.instance.ProcessFacts;
import io.fairlead.app.logging.Logging;
import io.fairlead.app.node.PolicyDropSocket;
import io.fairlead.client.Client;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.policy.runtime.PolicyDaemon;
import io.fairlead.policy.runtime.PolicyOptions;
import io.fairlead.proxy.node.HostAddresses;
import io.fairlead.work.Pacer;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `fairlead policy`: NetworkPolicies of any cluster are enforced on this node.
public final class PolicyCommand implements Command {
  private static final Logger log = LoggerFactory.getLogger(PolicyCommand.class);
  private static final int MAX_GROUP = 65535;
  private static final int MAX_LABEL = 127;

  @Override
  public int run(Arguments arguments, CommandContext context) {
    if (!arguments.operands().isEmpty()) {
      return ask(arguments, context);
    }
    PolicyOptions options = options(arguments);
    Logging.to(context.terminal().err(), arguments.text("logging-format"), arguments.number("v"));
    if (arguments.on("cleanup")) {
      Preflight.requireCleanupRights(ProcessFacts.mayChangeNetwork(), arguments);
      return cleanUp(options, arguments, context);
    }
    Client client = client(arguments, context);
    try {
      return serve(options, client, context, Path.of(arguments.text("control")));
    } catch (SystemCallException | IOException e) {
      client.close();
      throw new FairleadException(
          ErrorCode.FL210, e, "policy", String.valueOf(e.getMessage()), "stderr");
    }
  }

  /// A question about policies, which changes nothing.
  private static int ask(Arguments arguments, CommandContext context) {
    Logging.off();
    try (Client client = client(arguments, context)) {
      return new PolicyQuestions(arguments, context).answer(client);
    } catch (ApiException | ConnectionException e) {
      throw new FairleadException(ErrorCode.FL217, e, String.valueOf(e.getMessage()));
    }
  }

  private static int serve(
      PolicyOptions options, Client client, CommandContext context, Path control)
      throws IOException {
    PolicyDaemon daemon = new PolicyDaemon(options, client, context.clock());
    AutoCloseable questions = PolicyDropSocket.serve(control, options.node(), daemon::drops);
    ProcessSignals.onDump(() -> log.atInfo().log(daemon.dump()));
    Tasks.atExit(
        "shutdown",
        () -> {
          log.atInfo().log("stopping, rules stay");
          questions.close();
          daemon.close();
          client.close();
          Runtime.getRuntime().halt(ExitCode.FINE);
        });
    daemon.start();
    Tasks.start(
        "policy-ready",
        () -> {
          while (!daemon.isReady()) {
            Pacer.system().pause(java.time.Duration.ofMillis(50));
          }
          log.atInfo().log("in force: " + daemon.summary());
          SystemdNotifier.ready(context.environment(), daemon.summary());
        });
    try {
      new HeapGrowthLimiter().keep();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ExitCode.FINE;
  }

  private static Client client(Arguments arguments, CommandContext context) {
    return new Client(
        new HttpTransport(
            ClientConfigLoader.find(arguments, context, arguments.path("kubeconfig")),
            "fairlead-policy"));
  }

  /// Takes the rules away, and the report where there is an API to take it from: often that is gone
  /// by then.
  private static int cleanUp(PolicyOptions options, Arguments arguments, CommandContext context) {
    try {
      PolicyDaemon.removeTables();
    } catch (SystemCallException e) {
      context
          .terminal()
          .err()
          .println(context.text("policy.owned", String.valueOf(e.getMessage())));
      return ExitCode.COULD_NOT;
    }
    try (Client client = client(arguments, context)) {
      PolicyDaemon.removeReport(client, options.node());
    } catch (FairleadException e) {
      log.atInfo().addKeyValue("why", e.code()).log("without an API there is no report to remove");
    } catch (ApiException | ConnectionException e) {
      log.atInfo().addKeyValue("why", e.getMessage()).log("the report was not removed");
    }
    return ExitCode.FINE;
  }

  static PolicyOptions options(Arguments arguments) {
    String given = arguments.find("hostname-override").orElse("").strip();
    String name = given.isEmpty() ? HostAddresses.hostName() : given;
    String status = arguments.text("metrics-bind-address");
    return new PolicyOptions(
        name.toLowerCase(Locale.ROOT),
        ranges(arguments, "pod-cidr"),
        ranges(arguments, "cluster-cidr"),
        arguments.text("spoofed-sources").equals("drop"),
        arguments.text("unknown-addresses").equals("drop"),
        arguments.text("existing-connections").equals("cut"),
        arguments.text("denied").equals("reject"),
        number(arguments, "nflog-group", MAX_GROUP),
        number(arguments, "cut-label", MAX_LABEL),
        address("metrics-bind-address", status),
        extras(arguments));
  }

  private static PolicyOptions.Extras extras(Arguments arguments) {
    boolean gateFirst = arguments.on("gate-first");
    if (gateFirst && arguments.list("pod-cidr").isEmpty()) {
      throw new FairleadException(
          ErrorCode.FL303,
          "--gate-first",
          "true",
          "--pod-cidr beside it, as the API is not read yet");
    }
    return new PolicyOptions.Extras(
        gateFirst,
        arguments.find("startup-taint").orElse(""),
        arguments.find("drop-log").orElse(""),
        address("healthz-bind-address", arguments.find("healthz-bind-address").orElse("")),
        false);
  }

  private static Optional<InetSocketAddress> address(String flag, String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    int colon = text.lastIndexOf(':');
    try {
      return Optional.of(
          new InetSocketAddress(
              text.substring(0, Math.max(colon, 0)), Integer.parseInt(text.substring(colon + 1))));
    } catch (IllegalArgumentException e) {
      throw new FairleadException(ErrorCode.FL303, e, "--" + flag, text, "127.0.0.1:10248");
    }
  }

  private static List<Cidr> ranges(Arguments arguments, String flag) {
    return arguments.list(flag).stream()
        .map(
            text -> {
              Cidr range = Cidr.parseOrNull(text);
              if (range == null) {
                throw new FairleadException(ErrorCode.FL303, "--" + flag, text, "10.244.1.0/24");
              }
              return range.masked();
            })
        .toList();
  }

  private static int number(Arguments arguments, String flag, int most) {
    String text = arguments.text(flag);
    if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > most) {
      throw new FairleadException(ErrorCode.FL303, "--" + flag, text, "0-" + most);
    }
    return Integer.parseInt(text);
  }
}
