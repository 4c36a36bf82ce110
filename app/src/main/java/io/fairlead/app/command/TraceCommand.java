package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead trace FROM to TO`: sends one real connection and shows its way through the rules of
/// FROM's node, hop by hop, with where each hop is known from.
public final class TraceCommand implements Command {
  private static final int MOST_OPERANDS = 2;

  /// The longest that a node is asked to wait at once.
  private static final Duration TURN = Duration.ofSeconds(25);

  @Override
  public int run(Arguments arguments, CommandContext context) {
    Logging.off();
    List<String> places = places(arguments);
    ClientConfig connection =
        ClientConfigLoader.find(arguments, context, arguments.path("kubeconfig"));
    String namespace = arguments.find("namespace").orElse(connection.namespace());
    try (Client client = new Client(new SocketTransport(connection, "fairlead-trace"))) {
      NodeInquiry nodes = new NodeInquiry(arguments, context, client, connection);
      TraceTarget to = TraceTarget.find(client, places.getLast(), namespace, arguments);
      EndpointNames names = EndpointNames.of(slices(client, to));
      if (to.pod() != null) {
        names = names.with(to.pod());
      }
      if (arguments.on("model")) {
        return new TraceModel(arguments, context, client, names).print(places, namespace, to);
      }
      String first = places.size() < MOST_OPERANDS ? "" : places.getFirst();
      TraceSource from = TraceSource.find(client, first, namespace, nodes, arguments);
      ObjectNode answer =
          arguments.find("passive").isPresent()
              ? overhear(nodes, from, to, arguments)
              : ask(nodes, from, to, arguments, Duration.ZERO);
      if (Json.textOr(answer, "", "result").equals("none")) {
        context.terminal().out().println(context.text("trace.none", arguments.text("passive")));
        return ExitCode.TIMED_OUT;
      }
      ObjectNode document = document(answer, from, to, names);
      new TraceFarEnd(client, nodes, to.service() == null ? namespace : to.key().namespace())
          .addTo(document);
      new TracePolicies(client, from, to).addTo(document);
      if (arguments.find("output").isPresent()) {
        context.terminal().out().print(rendered(document, arguments.text("output")));
      } else {
        context.terminal().out().print(new TraceText(context, document, from).text());
      }
      return Json.textOr(document, "", "result").equals("reached")
          ? ExitCode.FINE
          : ExitCode.FAULT_FOUND;
    } catch (ApiException e) {
      throw new FairleadException(ErrorCode.FL217, e, String.valueOf(e.getMessage()));
    } catch (ConnectionException e) {
      throw new FairleadException(ErrorCode.FL217, e, String.valueOf(e.getMessage()));
    }
  }

  /// The operands without the arrow between them.
  private static List<String> places(Arguments arguments) {
    List<String> places = new ArrayList<>(arguments.operands());
    places.removeIf(word -> word.equals("->") || word.equals("to") || word.equals("→"));
    if (places.isEmpty() || places.size() > MOST_OPERANDS) {
      throw new FairleadException(
          ErrorCode.FL308, arguments.verb().name(), arguments.verb().operand());
    }
    return places;
  }

  private static List<ObjectNode> slices(Client client, TraceTarget to) {
    ObjectKey key = to.key();
    return to.service() == null
        ? List.of()
        : client
            .list(
                ResourceType.ENDPOINT_SLICES,
                key.namespace(),
                ListOptions.ALL.labelled("kubernetes.io/service-name=" + key.name()))
            .items();
  }

  /// Asks until a connection came or the time is over: a node waits for a while only.
  private static ObjectNode overhear(
      NodeInquiry nodes, TraceSource from, TraceTarget to, Arguments arguments) {
    Duration left = arguments.duration("passive");
    ObjectNode answer = Json.object().put("result", "none");
    while (left.isPositive() && Json.textOr(answer, "", "result").equals("none")) {
      Duration turn = left.compareTo(TURN) > 0 ? TURN : left;
      answer = ask(nodes, from, to, arguments, turn);
      left = left.minus(turn);
    }
    return answer;
  }

  /// @param passive how long to wait for a connection of others; zero to make one
  private static ObjectNode ask(
      NodeInquiry nodes, TraceSource from, TraceTarget to, Arguments arguments, Duration passive) {
    ObjectNode body = Json.object();
    body.set("from", from.document());
    body.putObject("to")
        .put("address", to.address())
        .put("port", to.port())
        .put("protocol", to.protocol());
    boolean waits = passive.isPositive();
    body.put("timeoutMillis", (waits ? passive : arguments.duration("timeout")).toMillis())
        .put("passive", waits)
        .put("count", arguments.number("count"));
    arguments.find("send").ifPresent(text -> body.put("payload", text));
    arguments
        .find("to")
        .ifPresent(which -> body.put("endpoint", which.equals("self") ? from.address() : which));
    try {
      return nodes.post(from.node(), "traces", body);
    } catch (NodeInquiry.NoAnswerException e) {
      throw new FairleadException(ErrorCode.FL195, e, from.node(), String.valueOf(e.getMessage()));
    }
  }

  private static ObjectNode document(
      ObjectNode answer, TraceSource from, TraceTarget to, EndpointNames names) {
    ObjectNode document =
        Json.object().put("apiVersion", "cli.fairlead.dev/v1").put("kind", "Trace");
    document
        .putObject("from")
        .put("kind", from.isPod() ? "Pod" : "Node")
        .put("name", from.name())
        .put("node", from.node());
    ObjectNode target = document.putObject("to");
    if (to.service() != null) {
      target.put("namespace", to.key().namespace()).put("service", to.key().name());
    }
    if (to.pod() != null) {
      target
          .put("namespace", Json.textOr(to.pod(), "", "metadata", "namespace"))
          .put("pod", Json.textOr(to.pod(), "", "metadata", "name"));
    }
    target.put("address", to.address()).put("port", to.port()).put("protocol", to.protocol());
    for (String field :
        List.of(
            "mode",
            "probe",
            "result",
            "code",
            "values",
            "endpoint",
            "decisiveHop",
            "hops",
            "others",
            "counts",
            "lost",
            "table")) {
      if (answer.has(field)) {
        document.set(field, answer.get(field));
      }
    }
    if (document.path("endpoint") instanceof ObjectNode endpoint) {
      names.add(endpoint);
    }
    for (JsonNode other : document.path("others")) {
      if (other instanceof ObjectNode endpoint) {
        names.add(endpoint);
      }
    }
    remote(document);
    return document;
  }

  /// The last hop is where the endpoint is, and says its name.
  private static void remote(ObjectNode document) {
    JsonNode endpoint = document.path("endpoint");
    String pod = Json.textOr(endpoint, "", "pod");
    for (JsonNode hop : document.path("hops")) {
      if (hop instanceof ObjectNode one
          && Json.textOr(one, "", "place").equals("remote")
          && !pod.isEmpty()) {
        String address = Json.textOr(endpoint, "", "address");
        int port = endpoint.path("port").asInt(0);
        String shown =
            address.indexOf(':') >= 0 ? "[" + address + "]:" + port : address + ":" + port;
        String text = Json.textOr(one, "", "text");
        // A relay answers on the client's node.
        if (text.contains(shown)) {
          one.put("text", text.replace(shown, pod));
          one.put("node", Json.textOr(endpoint, "", "node"));
        }
      }
    }
  }

  private static String rendered(ObjectNode document, String format) {
    return format.equals("yaml")
        ? io.fairlead.api.yaml.Yaml.write(document)
        : document.toPrettyString() + "\n";
  }
}
