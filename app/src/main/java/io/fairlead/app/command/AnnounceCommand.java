package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.instance.ProcessFacts;
import io.fairlead.app.logging.Logging;
import io.fairlead.app.node.BirdOptions;
import io.fairlead.client.Client;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.announce.Announcer;
import io.fairlead.proxy.node.HostAddresses;
import io.fairlead.proxy.runtime.PlanChangeFeed;
import io.fairlead.work.Tasks;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `fairlead announce`: tells the network where load balancer addresses are, on a node whose rules
/// another program writes. `fairlead proxy` and `fairlead up` do it themselves.
public final class AnnounceCommand implements Command {
  private static final Logger log = LoggerFactory.getLogger(AnnounceCommand.class);

  @Override
  public int run(Arguments arguments, CommandContext context) {
    Logging.to(context.terminal().err(), arguments.text("logging-format"), arguments.number("v"));
    if (arguments.on("cleanup")) {
      Preflight.requireCleanupRights(ProcessFacts.mayChangeNetwork(), arguments);
      return cleanUp(arguments);
    }
    String given = arguments.find("hostname-override").orElse("").strip();
    String node = (given.isEmpty() ? HostAddresses.hostName() : given).toLowerCase(Locale.ROOT);
    Client client =
        new Client(
            new HttpTransport(
                ClientConfigLoader.find(arguments, context, arguments.path("kubeconfig")),
                "fairlead-announce"));
    TimingSources pacing = TimingSources.system();
    Announcer announcer =
        Announcer.ofKernel(
            client,
            node,
            context.clock(),
            pacing,
            new PrometheusRegistry(),
            BirdOptions.means(arguments),
            () -> true);
    PlanChangeFeed feed =
        new PlanChangeFeed(client, node, context.clock(), pacing, announcer::rulesChanged);
    ProcessSignals.onDump(() -> log.atInfo().log("announces " + announcer.answers()));
    Tasks.atExit(
        "shutdown",
        () -> {
          log.atInfo().log("stopping, other nodes take the addresses");
          announcer.close();
          feed.close();
          client.close();
          Runtime.getRuntime().halt(ExitCode.FINE);
        });
    try {
      feed.start();
      String ready = context.text("announce.ready", node);
      log.atInfo().log(ready);
      SystemdNotifier.ready(context.environment(), ready);
      new HeapGrowthLimiter().keep();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ExitCode.FINE;
  }

  private static int cleanUp(Arguments arguments) {
    Optional<String> left = BirdOptions.endLeft(arguments);
    if (left.isPresent()) {
      throw new FairleadException(ErrorCode.FL210, "announce", left.get(), "stderr");
    }
    try {
      Announcer.removeRules();
      return ExitCode.FINE;
    } catch (SystemCallException e) {
      throw new FairleadException(
          ErrorCode.FL210, e, "announce", String.valueOf(e.getMessage()), "stderr");
    }
  }
}
