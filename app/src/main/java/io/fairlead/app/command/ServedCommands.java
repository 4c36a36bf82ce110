package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.CommandDispatcher;
import io.fairlead.app.ui.PageCommands;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.ui.UiHost;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The commands inside the process that serves the web page: each runs as the session's user, and
/// what it prints is the answer.
final class ServedCommands implements PageCommands {
  private final Supplier<CommandDispatcher> shell;

  ServedCommands(Supplier<CommandDispatcher> shell) {
    this.shell = shell;
  }

  @Override
  public UiHost.CommandResult run(
      ClientConfig server, Path data, UiHost.Seat seat, List<String> words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Map<String, String> environment = new HashMap<>();
    environment.put("FAIRLEAD_LANG", seat.language());
    environment.put("LC_ALL", "C.UTF-8");
    environment.put("FAIRLEAD_DATA_DIR", data.toString());
    Map<String, String> properties = new HashMap<>();
    properties.put("fairlead.local", seat.machine() ? "on" : "off");
    properties.put("fairlead.home", System.getProperty("fairlead.home", ""));
    int exit;
    try (PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8)) {
      CommandContext context =
          CommandContext.of(environment, properties, to, errors, InstantSource.system())
              .asking(server);
      exit = shell.get().run(words, context);
    }
    return new UiHost.CommandResult(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  @Override
  public Optional<ObjectNode> top(Client client, String session, Scope scope) {
    try {
      List<ObjectNode> flows = flows(client, session, scope);
      if (flows.isEmpty()) {
        return Optional.empty();
      }
      CommandContext silent =
          CommandContext.of(
              Map.of(),
              Map.of(),
              new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
              new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
              InstantSource.system());
      ObjectNode document =
          new TopText(silent, EndpointNames.of(List.of()))
              .document(
                  TopModel.of(flows), InstantSource.system().instant().toString(), 0, Json.array());
      if (flows.stream().anyMatch(node -> node.path("sinceMillis").isNull())) {
        withoutRates(document);
      }
      FlowSources.add(document, flows);
      return Optional.of(document);
    } catch (ApiException | ConnectionException _) {
      return Optional.empty();
    }
  }

  /// The first answer has nothing to compare with: rates are unknown then, not zero.
  private static void withoutRates(ObjectNode document) {
    for (JsonNode service : document.path("services")) {
      if (service instanceof ObjectNode port) {
        port.putNull("newPerSecond");
        for (JsonNode endpoint : port.path("endpoints")) {
          ((ObjectNode) endpoint).putNull("newPerSecond");
        }
      }
    }
  }

  private static List<ObjectNode> flows(Client client, String session, Scope scope) {
    List<ObjectNode> flows = new ArrayList<>();
    for (ObjectNode node : client.list(ResourceType.NODES, "", ListOptions.ALL).items()) {
      String name = Json.textOr(node, "", "metadata", "name");
      Map<String, String> query = new HashMap<>();
      query.put("namespace", scope.namespace());
      query.put("service", scope.service());
      query.put("session", session);
      try {
        flows.add(
            client
                .raw(
                    ApiRequest.get(
                        "/fairlead/v1/nodes/" + ApiRequest.escape(name) + "/flows", query))
                .object());
      } catch (ApiException | ConnectionException _) {
        // The others may answer; the page says where nothing is known.
        continue;
      }
    }
    return flows;
  }
}
