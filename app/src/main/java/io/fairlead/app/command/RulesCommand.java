package io.fairlead.app.command;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.logging.Logging;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.insight.gather.ThisMachine;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.node.HostAddresses;
import io.fairlead.proxy.node.ProxyNodeObject;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead rules svc/NAME`: what a node does with traffic to a Service and why, and the rules for
/// it in each mode, from the renderers that write to the kernel: as the proxy that runs here is set
/// up.
public final class RulesCommand implements Command {
  /// What people type before a slash that is no namespace: rules are made for Services only.
  private static final Set<String> OTHER_KINDS =
      Set.of(
          "pod",
          "pods",
          "po",
          "deployment",
          "deployments",
          "deploy",
          "endpoints",
          "ep",
          "endpointslice",
          "endpointslices",
          "node",
          "nodes",
          "no");

  @Override
  public int run(Arguments arguments, CommandContext context) {
    Logging.off();
    if (arguments.operands().isEmpty()) {
      throw new FairleadException(
          ErrorCode.FL308, arguments.verb().name(), arguments.verb().operand());
    }
    ClientConfig connection =
        ClientConfigLoader.find(arguments, context, arguments.path("kubeconfig"));
    ObjectKey key = key(arguments, connection);
    try (Client client = new Client(new SocketTransport(connection, "fairlead-rules"))) {
      ObjectNode service =
          client.find(ResourceType.SERVICES, key).orElseThrow(() -> MissingService.of(client, key));
      List<ObjectNode> slices =
          client
              .list(
                  ResourceType.ENDPOINT_SLICES,
                  key.namespace(),
                  ListOptions.ALL.labelled("kubernetes.io/service-name=" + key.name()))
              .items();
      Optional<ThisMachine> running = RunningProxy.here(client, context);
      RulesView view =
          new RulesView(node(client, arguments, running), running.isPresent(), service, slices);
      if (arguments.on("diff")) {
        return new RulesDifference(context).print(mode -> family -> view.plan(mode, family));
      }
      print(arguments, context, view);
      return ExitCode.FINE;
    } catch (ApiException | ConnectionException e) {
      throw new FairleadException(ErrorCode.FL217, e, String.valueOf(e.getMessage()));
    }
  }

  /// `svc/NAME`, `service/NAME`, `NAMESPACE/NAME` or just the name.
  private static ObjectKey key(Arguments arguments, ClientConfig connection) {
    String text = arguments.operands().getFirst();
    String namespace = arguments.find("namespace").orElse(connection.namespace());
    int slash = text.indexOf('/');
    String front = slash < 0 ? "svc" : text.substring(0, slash);
    String name = text.substring(slash + 1);
    if (OTHER_KINDS.contains(front)) {
      throw new FairleadException(
          ErrorCode.FL303, arguments.verb().operand(), text, "svc/NAME, NAMESPACE/NAME, NAME");
    }
    return List.of("svc", "service", "services").contains(front)
        ? new ObjectKey(namespace, name)
        : new ObjectKey(front, name);
  }

  /// The node whose rules are asked for: this machine as its proxy sees it, or another one under
  /// the same configuration. Where no proxy runs, one with defaults.
  private static ThisMachine node(
      Client client, Arguments arguments, Optional<ThisMachine> running) {
    String name =
        arguments
            .find("node")
            .or(() -> running.map(ThisMachine::node))
            .orElseGet(HostAddresses::hostName);
    ProxyConfiguration configuration =
        running.map(ThisMachine::configuration).orElseGet(ProxyConfiguration::defaults);
    Optional<String> pods = arguments.find("cluster-cidr");
    if (pods.isPresent()) {
      configuration = configuration.with(ProxyFlag.find("cluster-cidr").orElseThrow(), pods.get());
    }
    Optional<ProxyNodeObject> object =
        running
            .filter(here -> here.node().equals(name))
            .flatMap(ThisMachine::object)
            .or(() -> object(client, name));
    return new ThisMachine(
        name, running.map(ThisMachine::mode).orElse(ProxyMode.IPTABLES), configuration, object);
  }

  private static Optional<ProxyNodeObject> object(Client client, String name) {
    try {
      return client
          .find(ResourceType.NODES, new ObjectKey("", name))
          .map(node -> ProxyNodeObject.of(node));
    } catch (ApiException _) {
      // Without the Node its zone and addresses are unknown, which rarely matters.
      return Optional.empty();
    }
  }

  private static void print(Arguments arguments, CommandContext context, RulesView view) {
    String wanted = arguments.text("mode");
    List<ProxyMode> modes =
        wanted.equals("all")
            ? RulesView.MODES
            : List.of(wanted.equals("active") ? view.active() : ProxyMode.of(wanted));
    PrintStream out = context.terminal().out();
    Optional<String> format = arguments.find("output");
    if (format.isPresent()) {
      ObjectNode document = view.document(modes);
      out.print(
          format.get().equals("json") ? document.toPrettyString() + "\n" : Yaml.write(document));
      return;
    }
    if (!view.runs()) {
      context.terminal().err().println(context.text("rules.norunning"));
    }
    out.print(view.text(modes));
    if (view.isEmpty()) {
      out.println(context.text("rules.none", view.name()));
    }
  }
}
