package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.TrafficVerdict;
import io.fairlead.proxy.node.HostAddresses;
import io.fairlead.proxy.tracking.Planner;
import io.fairlead.proxy.tracking.ServiceObject;
import io.fairlead.proxy.tracking.SliceObject;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead trace --model`: what the plan of FROM's node says about a connection. Nothing is sent,
/// and nothing but the API is asked.
final class TraceModel {
  private final Arguments arguments;
  private final CommandContext context;
  private final Client client;
  private final EndpointNames names;

  TraceModel(Arguments arguments, CommandContext context, Client client, EndpointNames names) {
    this.arguments = arguments;
    this.context = context;
    this.client = client;
    this.names = names;
  }

  int print(List<String> places, String namespace, TraceTarget to) {
    ObjectNode service = to.service();
    if (service == null) {
      throw new FairleadException(
          ErrorCode.FL303, arguments.verb().operand(), places.getLast(), "svc/NAME:PORT");
    }
    TraceSource from = from(places, namespace);
    Frontend front = front(plan(service, to, from.node()), to);
    ObjectNode document = document(from, to, front);
    if (arguments.find("output").isPresent()) {
      context
          .terminal()
          .out()
          .print(
              arguments.text("output").equals("yaml")
                  ? io.fairlead.api.yaml.Yaml.write(document)
                  : document.toPrettyString() + "\n");
    } else {
      context.terminal().out().print(new TraceText(context, document, from).text());
      context.terminal().out().println(context.text("trace.nothing"));
    }
    return front.verdict() instanceof TrafficVerdict.Forward ? ExitCode.FINE : ExitCode.FAULT_FOUND;
  }

  private TraceSource from(List<String> places, String namespace) {
    if (places.size() < 2) {
      return new TraceSource(HostAddresses.hostName(), "", HostAddresses.hostName(), "");
    }
    String text = places.getFirst();
    if (text.equals("outside")) {
      return new TraceSource("outside", "", HostAddresses.hostName(), "");
    }
    String name = text.substring(text.indexOf('/') + 1);
    if (text.startsWith("node/")) {
      return new TraceSource(name, "", name, "");
    }
    return TraceSource.pod(client, new ObjectKey(namespace, name));
  }

  private Plan plan(ObjectNode service, TraceTarget to, String node) {
    IpAddress front = IpAddress.parse(to.address());
    IpAddress unknown = front.isIpv4() ? IpAddress.parse("0.0.0.0") : IpAddress.parse("::");
    Planner planner = new Planner(NodeFacts.of(node, unknown), Instant.EPOCH);
    boolean _ = planner.put(ServiceObject.of(service));
    List<ObjectNode> slices =
        client
            .list(
                ResourceType.ENDPOINT_SLICES,
                to.key().namespace(),
                ListOptions.ALL.labelled("kubernetes.io/service-name=" + to.key().name()))
            .items();
    slices.forEach(
        slice -> {
          boolean _ = planner.put(SliceObject.of(slice));
        });
    return planner.plan().plan();
  }

  private Frontend front(Plan plan, TraceTarget to) {
    for (ServicePlan service : plan.sorted()) {
      if (!service.name().port().equals(to.portName())) {
        continue;
      }
      Optional<Frontend> found =
          service.fronts().stream()
              .filter(each -> each.port() == to.port())
              .filter(
                  each -> each.address() == null || each.address().toString().equals(to.address()))
              .findFirst();
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw new FairleadException(
        ErrorCode.FL125, to.key().toString(), Integer.toString(to.port()), "");
  }

  private ObjectNode document(TraceSource from, TraceTarget to, Frontend front) {
    ObjectNode document =
        Json.object().put("apiVersion", "cli.fairlead.dev/v1").put("kind", "Trace");
    document
        .putObject("from")
        .put("kind", from.isPod() ? "Pod" : "Node")
        .put("name", from.name())
        .put("node", from.node());
    document
        .putObject("to")
        .put("namespace", to.key().namespace())
        .put("service", to.key().name())
        .put("address", to.address())
        .put("port", to.port())
        .put("protocol", to.protocol());
    document
        .putObject("probe")
        .put("protocol", to.protocol())
        .putNull("source")
        .put("sentTimes", 0)
        .put("outcome", "none")
        .putNull("millis");
    ArrayNode hops = Json.array();
    hop(
        hops,
        from,
        "nat",
        front.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ')
            + " of "
            + to.key().namespace()
            + "/"
            + to.key().name());
    document.putNull("code");
    switch (front.verdict()) {
      case TrafficVerdict.Forward(List<Backend> backends, var _) -> {
        hop(hops, from, "nat", "one of " + backends.size() + " endpoints at random");
        document.put("result", "wouldReach").put("decisiveHop", 0);
        others(document, backends);
      }
      case TrafficVerdict.Reject(TrafficVerdict.Reason why) -> {
        hop(hops, from, "nat", "rejected: " + why.text());
        document.put("result", "refused").put("decisiveHop", 2);
      }
      case TrafficVerdict.Drop(TrafficVerdict.Reason why) -> {
        hop(hops, from, "nat", "dropped: " + why.text());
        document.put("result", "dropped").put("decisiveHop", 2).put("code", "FL144");
      }
    }
    document.set("hops", hops);
    return document.put("lost", 0).put("table", "none");
  }

  private static void hop(ArrayNode hops, TraceSource from, String place, String text) {
    hops.addObject()
        .put("n", hops.size())
        .put("node", from.node())
        .put("place", place)
        .put("source", "model")
        .put("via", "model")
        .put("text", text);
  }

  private void others(ObjectNode document, List<Backend> backends) {
    ArrayNode others = document.putArray("others");
    for (Backend each : backends) {
      ObjectNode one =
          others
              .addObject()
              .put("address", each.address().toString())
              .put("port", each.port())
              .put("share", 1.0 / backends.size());
      names.add(one);
    }
  }
}
