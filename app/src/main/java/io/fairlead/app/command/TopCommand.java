package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.command.TopModel.TopService;
import io.fairlead.app.logging.Logging;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead top [svc/NAME]`: live connections by endpoint, from the nodes' tables of tracked
/// connections: shares seen against shares expected, and why they differ.
public final class TopCommand implements Command {
  private static final String CLEAR = "\u001b[H\u001b[2J";

  @Override
  public int run(Arguments arguments, CommandContext context) {
    Logging.off();
    ClientConfig connection =
        ClientConfigLoader.find(arguments, context, arguments.path("kubeconfig"));
    String namespace =
        arguments.on("all-namespaces")
            ? ""
            : arguments.find("namespace").orElse(connection.namespace());
    try (Client client = new Client(new SocketTransport(connection, "fairlead-top"))) {
      return new Screen(arguments, context, client, connection, namespace).show();
    } catch (ApiException e) {
      throw new FairleadException(ErrorCode.FL217, e, String.valueOf(e.getMessage()));
    } catch (ConnectionException e) {
      throw new FairleadException(ErrorCode.FL217, e, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.INTERRUPTED;
    }
  }

  /// One run of the command.
  private static final class Screen {
    private final Arguments arguments;
    private final CommandContext context;
    private final Client client;
    private final String namespace;
    private final String service;
    private final NodeInquiry nodes;
    private final List<String> names;
    private final Map<String, String> query = new HashMap<>();
    private ArrayNode unseen = Json.array();

    Screen(
        Arguments arguments,
        CommandContext context,
        Client client,
        ClientConfig connection,
        String namespace) {
      this.arguments = arguments;
      this.context = context;
      this.client = client;
      this.namespace = namespace;
      this.service =
          arguments.operands().isEmpty()
              ? ""
              : arguments.operands().getFirst().replaceFirst("^(svc|service|services)/", "");
      this.nodes = new NodeInquiry(arguments, context, client, connection);
      this.names =
          arguments
              .find("node")
              .map(List::of)
              .orElseGet(
                  () ->
                      client.list(ResourceType.NODES, "", ListOptions.ALL).items().stream()
                          .map(node -> Json.textOr(node, "", "metadata", "name"))
                          .toList());
    }

    int show() throws InterruptedException {
      List<ObjectNode> slices = List.of();
      if (!service.isEmpty()) {
        ObjectKey key = new ObjectKey(namespace, service);
        if (client.find(ResourceType.SERVICES, key).isEmpty()) {
          throw MissingService.of(client, key);
        }
        slices =
            client
                .list(
                    ResourceType.ENDPOINT_SLICES,
                    namespace,
                    ListOptions.ALL.labelled("kubernetes.io/service-name=" + service))
                .items();
        query.put("before", Long.toString(youngest(slices)));
      }
      TopText text = new TopText(context, EndpointNames.of(slices));
      query.put("namespace", namespace);
      query.put("service", service);
      query.put("session", Long.toString(ProcessHandle.current().pid()));
      List<ObjectNode> _ = flows();
      Duration interval = arguments.duration("interval");
      boolean fault;
      do {
        Pacer.system().pause(interval);
        List<TopService> ports = sorted(TopModel.of(flows()));
        fault = ports.stream().anyMatch(port -> port.skew().isPresent());
        print(text, ports, interval);
      } while (!arguments.on("once"));
      return fault && arguments.on("strict") ? ExitCode.FAULT_FOUND : ExitCode.FINE;
    }

    private void print(TopText text, List<TopService> ports, Duration interval) {
      if (arguments.find("output").isPresent()) {
        String line =
            new String(
                Json.bytes(
                    text.document(
                        ports, context.clock().instant().toString(), interval.toMillis(), unseen)),
                java.nio.charset.StandardCharsets.UTF_8);
        context.terminal().out().println(line);
        return;
      }
      boolean screen =
          context.properties().getOrDefault("fairlead.tty", "").contains("out")
              && !arguments.on("once");
      context.terminal().out().print(screen ? CLEAR : "");
      context.terminal().out().print(service.isEmpty() ? text.all(ports) : text.service(ports));
      for (JsonNode each : unseen) {
        context
            .terminal()
            .out()
            .println(
                context.text(
                    "top.unseen", Json.textOr(each, "", "node"), Json.textOr(each, "", "why")));
      }
    }

    private List<ObjectNode> flows() {
      List<ObjectNode> flows = new ArrayList<>();
      unseen = Json.array();
      for (String node : names) {
        try {
          flows.add(nodes.get(node, "flows", query));
        } catch (NodeInquiry.NoAnswerException e) {
          unseen
              .addObject()
              .put("what", "flows")
              .put("node", node)
              .put("why", String.valueOf(e.getMessage()));
        }
      }
      if (flows.isEmpty()) {
        throw new FairleadException(
            ErrorCode.FL195,
            String.join(", ", names),
            unseen.isEmpty() ? "" : Json.textOr(unseen.get(0), "", "why"));
      }
      return flows;
    }

    private List<TopService> sorted(List<TopService> ports) {
      Comparator<TopService> order =
          switch (arguments.text("sort")) {
            case "new" -> Comparator.comparingDouble(TopService::newPerSecond);
            case "out" ->
                Comparator.comparingDouble(
                    port -> {
                      Double out = port.outBytes();
                      return out == null ? 0 : out;
                    });
            case "skew" -> Comparator.comparing(port -> port.skew().isPresent());
            default -> Comparator.comparingInt(TopService::active);
          };
      return ports.stream().sorted(order.reversed()).toList();
    }

    /// When the last of the Service's pods became ready, in seconds since the epoch.
    private long youngest(List<ObjectNode> slices) {
      long youngest = 0;
      for (ObjectNode slice : slices) {
        for (JsonNode endpoint : slice.path("endpoints")) {
          String pod = Json.textOr(endpoint, "", "targetRef", "name");
          if (!pod.isEmpty()) {
            youngest = Math.max(youngest, ready(new ObjectKey(namespace, pod)));
          }
        }
      }
      return youngest;
    }

    private long ready(ObjectKey pod) {
      return client
          .find(ResourceType.PODS, pod)
          .map(
              found -> {
                for (JsonNode condition : found.path("status").path("conditions")) {
                  if (Json.textOr(condition, "", "type").equals("Ready")) {
                    return seconds(Json.textOr(condition, "", "lastTransitionTime"));
                  }
                }
                return 0L;
              })
          .orElse(0L);
    }

    private static long seconds(String time) {
      try {
        return Instant.parse(time).getEpochSecond();
      } catch (DateTimeParseException e) {
        return 0;
      }
    }
  }
}
