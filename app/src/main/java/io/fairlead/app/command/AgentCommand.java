package io.fairlead.app.command;

import io.fairlead.agent.Agent;
import io.fairlead.agent.AgentOptions;
import io.fairlead.agent.api.NodeServerOptions;
import io.fairlead.api.net.Cidr;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.instance.ProcessFacts;
import io.fairlead.app.logging.Logging;
import io.fairlead.app.node.NodeInsight;
import io.fairlead.app.node.NodeServerAuth;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.server.pki.ComponentTls;
import io.fairlead.work.Tasks;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `fairlead agent`: the agent of this node, in the place of a kubelet.
public final class AgentCommand implements Command {
  private static final Logger log = LoggerFactory.getLogger(AgentCommand.class);

  @Override
  public int run(Arguments arguments, CommandContext context) {
    AgentOptionReader reader = new AgentOptionReader(arguments);
    Logging.to(context.terminal().err(), arguments.text("logging-format"), arguments.number("v"));
    IgnoredFlagWarnings.log(arguments, context);
    if (arguments.on("cleanup")) {
      Preflight.requireCleanupRights(ProcessFacts.mayBeNode(), arguments);
      Agent.removeAll(reader.directory(), reader.host());
      return ExitCode.FINE;
    }
    AgentOptions options = reader.forAgent();
    ClientConfig connection =
        ClientConfigLoader.find(arguments, context, arguments.path("kubeconfig"));
    Client client = new Client(new HttpTransport(connection, "fairlead-agent"));
    Agent agent;
    try {
      agent =
          Agent.start(
              client, options, Optional.of(nodeServer(arguments, options, connection, client)));
    } catch (SystemCallException | IllegalStateException e) {
      client.close();
      throw new FairleadException(
          ErrorCode.FL210, e, "agent", String.valueOf(e.getMessage()), "stderr");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.INTERRUPTED;
    }
    Tasks.atExit(
        "shutdown",
        () -> {
          log.atInfo().log("stopping, networks of pods stay");
          agent.close();
          client.close();
          Runtime.getRuntime().halt(ExitCode.FINE);
        });
    String ranges =
        agent.podRanges().stream().map(Cidr::toString).collect(Collectors.joining(", "));
    String ready = context.text("agent.ready", options.nodeName(), ranges);
    log.atInfo().log(ready);
    SystemdNotifier.ready(context.environment(), ready);
    try {
      // What a burst of pods left behind is given back soon.
      new HeapGrowthLimiter().keep();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ExitCode.FINE;
  }

  /// The node's own server, at every address of the node's network: others may reach the node by
  /// one that it does not have itself.
  private static NodeServerOptions nodeServer(
      Arguments arguments, AgentOptions options, ClientConfig connection, Client client) {
    List<X509Certificate> authorities =
        arguments
            .path("client-ca-file")
            .map(ComponentTls::authorities)
            .orElseGet(
                () ->
                    connection.trust() instanceof Trust.Certificates(List<X509Certificate> roots)
                        ? roots
                        : List.of());
    return NodeServerAuth.options(
            client,
            authorities,
            options.nodeName(),
            options.addresses(),
            options.addresses().getFirst().contains(":") ? "::" : "0.0.0.0",
            arguments.number("port"),
            true)
        .with(NodeInsight.at(Path.of(arguments.text("proxy-control"))));
  }
}
