package io.fairlead.app.command;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.loadbalancer.AnnouncerLeaseNames;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.loadbalancer.PoolFileReader;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.logging.Logging;
import io.fairlead.app.text.Columns;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.proxy.announce.AnnouncementOverview;
import io.fairlead.proxy.announce.AnnouncementOverview.Row;
import io.fairlead.proxy.announce.AnnouncementOverview.SessionDown;
import io.fairlead.proxy.announce.AnnouncementOverview.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead lb`: the load balancer addresses of the cluster, who has them and which node announces
/// them. `lb rebalance [ADDRESS]` asks owners to let the node have them that comes first by rank.
public final class LoadBalancerCommand implements Command {
  private static final String REBALANCE = "rebalance";
  private static final String ANNOTATION = "fairlead.dev/rebalance";

  @Override
  public int run(Arguments arguments, CommandContext context) {
    Logging.off();
    List<String> words = arguments.operands();
    if (!words.isEmpty() && !words.getFirst().equals(REBALANCE)) {
      throw new FairleadException(
          ErrorCode.FL303, arguments.verb().operand(), words.getFirst(), REBALANCE);
    }
    try (Client client =
        new Client(
            new SocketTransport(
                ClientConfigLoader.find(arguments, context, arguments.path("kubeconfig")),
                "fairlead-lb"))) {
      List<ObjectNode> leases =
          all(
              client,
              ResourceType.LEASES,
              AnnouncerLeaseNames.NAMESPACE,
              ListOptions.ALL.labelled(AnnouncerLeaseNames.LABEL));
      List<Row> rows = rows(client, leases, context);
      return words.isEmpty()
          ? list(
              rows,
              AnnouncementOverview.sessionsDown(leases, context.clock().instant()),
              arguments,
              context)
          : rebalance(client, rows, words, context);
    } catch (ApiException | ConnectionException e) {
      throw new FairleadException(ErrorCode.FL217, e, String.valueOf(e.getMessage()));
    }
  }

  private static List<Row> rows(Client client, List<ObjectNode> leases, CommandContext context) {
    return AnnouncementOverview.of(
        all(client, ResourceType.SERVICES, "", ListOptions.ALL),
        leases,
        all(client, ResourceType.NODES, "", ListOptions.ALL),
        pools(client),
        context.clock().instant());
  }

  private static List<ObjectNode> all(
      Client client, ResourceType type, String namespace, ListOptions options) {
    List<ObjectNode> all = new ArrayList<>();
    client.listAll(type, namespace, options, all::add);
    return all;
  }

  private static LoadBalancerPools pools(Client client) {
    ObjectKey key =
        new ObjectKey(LoadBalancerPools.PUBLISHED_NAMESPACE, LoadBalancerPools.PUBLISHED_NAME);
    try {
      return client
          .find(ResourceType.CONFIG_MAPS, key)
          .map(map -> Json.textOr(map, "", "data", LoadBalancerPools.PUBLISHED_FILE))
          .map(PoolFileReader::read)
          .orElse(LoadBalancerPools.NONE);
    } catch (DecodeException _) {
      // Written by hand, or by a newer version: addresses are shown without their pools.
      return LoadBalancerPools.NONE;
    }
  }

  private static int list(
      List<Row> rows, List<SessionDown> down, Arguments arguments, CommandContext context) {
    boolean silent = !down.isEmpty() || rows.stream().anyMatch(row -> row.state() == State.SILENT);
    if (arguments.find("output").isPresent()) {
      ArrayNode items = Json.array();
      rows.forEach(row -> items.add(json(row)));
      ArrayNode sessions = Json.array();
      down.forEach(
          one ->
              sessions
                  .addObject()
                  .put("node", one.node())
                  .put("peer", one.peer())
                  .put("state", one.state()));
      context
          .terminal()
          .out()
          .print(
              new OutputDocument("LoadBalancerAddresses")
                  .put("items", items)
                  .put("sessionsDown", sessions)
                  .render(arguments.text("output")));
      return silent ? ExitCode.FAULT_FOUND : ExitCode.FINE;
    }
    if (rows.isEmpty()) {
      context.terminal().out().println(context.text("lb.none"));
      return ExitCode.FINE;
    }
    List<List<String>> table = new ArrayList<>();
    table.add(List.of("ADDRESS", "POOL", "SERVICE", "NODE", "STATE"));
    for (Row row : rows) {
      table.add(
          List.of(
              shown(row.address()),
              shown(row.pool()),
              row.service().toString(),
              shown(String.join(",", row.nodes())),
              context.text("lb.state." + word(row.state()))));
    }
    context.terminal().out().print(Columns.table("", table));
    for (Row row : rows) {
      if (row.state() == State.SILENT) {
        String why =
            row.reasons().entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", "));
        context
            .terminal()
            .out()
            .println(
                context.text(why.isEmpty() ? "lb.silent" : "lb.silent.why", row.address(), why));
      }
    }
    for (SessionDown one : down) {
      context
          .terminal()
          .out()
          .println(context.text("lb.session", one.node(), one.peer(), one.state()));
    }
    return silent ? ExitCode.FAULT_FOUND : ExitCode.FINE;
  }

  private static String shown(String text) {
    return text.isEmpty() ? "-" : text;
  }

  private static String word(State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }

  private static ObjectNode json(Row row) {
    ObjectNode item =
        Json.object()
            .put("address", row.address())
            .put("pool", row.pool())
            .put("service", row.service().toString())
            .put("node", String.join(",", row.nodes()))
            .put("state", word(row.state()));
    ObjectNode reasons = item.putObject("reasons");
    row.reasons().forEach(reasons::put);
    return item;
  }

  private static int rebalance(
      Client client, List<Row> rows, List<String> words, CommandContext context) {
    String wanted = words.size() > 1 ? words.get(1) : "";
    if (!wanted.isEmpty() && IpAddress.parseOrNull(wanted) == null) {
      throw new FairleadException(ErrorCode.FL303, "ADDRESS", wanted, "192.168.1.240");
    }
    Set<ObjectKey> services = new TreeSet<>();
    Set<String> addresses = new TreeSet<>();
    for (Row row : rows) {
      if (row.state() == State.ANNOUNCED && (wanted.isEmpty() || row.address().equals(wanted))) {
        services.add(row.service());
        addresses.add(row.address());
      }
    }
    if (services.isEmpty()) {
      throw new FairleadException(
          ErrorCode.FL403, wanted.isEmpty() ? "-" : wanted, context.text("lb.notannounced"));
    }
    ObjectNode patch = Json.object();
    patch
        .putObject("metadata")
        .putObject("annotations")
        .put(ANNOTATION, Long.toString(context.clock().instant().toEpochMilli()));
    for (ObjectKey service : services) {
      client.patch(ResourceType.SERVICES, service, PatchType.MERGE, patch);
    }
    context.terminal().out().println(context.text("lb.rebalance", String.join(", ", addresses)));
    return ExitCode.FINE;
  }
}
