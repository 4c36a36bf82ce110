package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Exit;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.logging.Logging;
import io.fairlead.client.Client;
import io.fairlead.client.Connection;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.Statuses;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.iptables.IptablesSettings;
import io.fairlead.proxy.iptables.IptablesText;
import io.fairlead.proxy.nftables.NftablesText;
import io.fairlead.proxy.node.LocalAddresses;
import io.fairlead.proxy.node.NodeObject;
import io.fairlead.proxy.node.NodeSettings;
import io.fairlead.proxy.runtime.PlanText;
import io.fairlead.proxy.tracking.Planner;
import io.fairlead.proxy.tracking.ServiceObject;
import io.fairlead.proxy.tracking.SliceObject;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead rules svc/NAME`: what a node does with traffic to a Service and why, and the rules for
/// it in each mode, from the renderers that write to the kernel. Reads the API only.
public final class RulesCommand implements Command {
  private static final ResourceType SERVICES =
      new ResourceType("", "v1", "services", "Service", true);
  private static final ResourceType SLICES =
      new ResourceType("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true);
  private static final ResourceType NODES = new ResourceType("", "v1", "nodes", "Node", false);

  @Override
  public int run(Arguments arguments, Context context) {
    Logging.off();
    if (arguments.operands().isEmpty()) {
      throw new Problem(Code.FL308, arguments.verb().name(), arguments.verb().operand());
    }
    Connection connection = Connections.find(arguments, context, arguments.path("kubeconfig"));
    ObjectKey key = key(arguments, connection);
    try (Client client = new Client(new SocketTransport(connection, "fairlead-rules"))) {
      ObjectNode service = client.get(SERVICES, key);
      List<ObjectNode> slices =
          client
              .list(
                  SLICES,
                  key.namespace(),
                  ListOptions.ALL.labelled("kubernetes.io/service-name=" + key.name()))
              .items();
      NodeObject node = node(client, arguments);
      if (arguments.on("diff")) {
        return new RulesDifference(context)
            .print(mode -> family -> plan(facts(arguments, mode, family, node), service, slices));
      }
      print(arguments, context, service, slices, node);
      return Exit.FINE;
    } catch (ApiException e) {
      throw new Problem(
          Statuses.isNotFound(e) ? Code.FL100 : Code.FL217,
          e,
          Statuses.isNotFound(e) ? key.toString() : String.valueOf(e.getMessage()));
    } catch (ConnectionException e) {
      throw new Problem(Code.FL217, e, String.valueOf(e.getMessage()));
    }
  }

  /// `svc/NAME`, `service/NAME`, `NAMESPACE/NAME` or just the name.
  private static ObjectKey key(Arguments arguments, Connection connection) {
    String text = arguments.operands().getFirst();
    String namespace = arguments.find("namespace").orElse(connection.namespace());
    int slash = text.indexOf('/');
    String front = slash < 0 ? "svc" : text.substring(0, slash);
    String name = text.substring(slash + 1);
    return List.of("svc", "service", "services").contains(front)
        ? new ObjectKey(namespace, name)
        : new ObjectKey(front, name);
  }

  private static @Nullable NodeObject node(Client client, Arguments arguments) {
    try {
      return NodeObject.of(client.get(NODES, new ObjectKey("", nodeName(arguments))));
    } catch (ApiException _) {
      // Without the Node its zone and addresses are unknown, which rarely matters.
      return null;
    }
  }

  private static String nodeName(Arguments arguments) {
    return arguments.find("node").orElseGet(LocalAddresses::hostName);
  }

  private static void print(
      Arguments arguments,
      Context context,
      ObjectNode service,
      List<ObjectNode> slices,
      @Nullable NodeObject node) {
    PrintStream out = context.terminal().out();
    boolean all = arguments.text("mode").equals("all");
    boolean first = true;
    for (String mode : List.of("iptables", "nftables")) {
      if (!all && !arguments.text("mode").equals(mode)) {
        continue;
      }
      for (IpAddress.Family family : IpAddress.Family.values()) {
        Plan plan = plan(facts(arguments, mode, family, node), service, slices);
        if (plan.services().size() > 0) {
          out.print(text(plan, mode, family, first));
        }
      }
      first = false;
    }
    if (ServiceObject.of(service).ipv4().isEmpty() && ServiceObject.of(service).ipv6().isEmpty()) {
      out.println(context.text("rules.none", Json.textOr(service, "", "metadata", "name")));
    }
  }

  private static NodeFacts facts(
      Arguments arguments, String mode, IpAddress.Family family, @Nullable NodeObject node) {
    ProxyConfiguration configuration =
        arguments.on("diff")
            ? RunningProxy.configuration().orElseGet(ProxyConfiguration::defaults)
            : ProxyConfiguration.defaults();
    Optional<String> pods = arguments.find("cluster-cidr");
    if (pods.isPresent()) {
      configuration = configuration.with(ProxyFlag.find("cluster-cidr").orElseThrow(), pods.get());
    }
    return new NodeSettings(configuration, mode, nodeName(arguments), LocalAddresses.now())
        .facts(family, node, List.of());
  }

  private static Plan plan(NodeFacts facts, ObjectNode service, List<ObjectNode> slices) {
    Planner planner = new Planner(facts, Instant.EPOCH);
    planner.put(ServiceObject.of(service));
    slices.forEach(slice -> planner.put(SliceObject.of(slice)));
    return planner.plan().plan();
  }

  private static String text(Plan plan, String mode, IpAddress.Family family, boolean explain) {
    StringBuilder text = new StringBuilder();
    if (explain) {
      plan.sorted().forEach(port -> PlanText.write(text, port));
    }
    text.append("\n# ").append(mode).append(' ').append(family).append('\n');
    if (mode.equals("nftables")) {
      NftablesText.of(plan).forEach(line -> text.append(line).append('\n'));
      return text.toString();
    }
    for (ServicePlan port : plan.sorted()) {
      IptablesText.of(port, plan.node(), IptablesSettings.standard())
          .forEach(line -> text.append(line).append('\n'));
    }
    return text.toString();
  }
}
