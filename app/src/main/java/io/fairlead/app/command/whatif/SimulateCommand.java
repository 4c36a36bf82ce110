package io.fairlead.app.command.whatif;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.command.ClientConfigLoader;
import io.fairlead.app.command.NodeInquiry;
import io.fairlead.app.command.RunningProxy;
import io.fairlead.app.command.explain.ExplainTarget;
import io.fairlead.app.logging.Logging;
import io.fairlead.app.text.Language;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.controller.endpointslice.SlicePrediction;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.gather.ClusterSources;
import io.fairlead.insight.gather.HandshakeProbe;
import io.fairlead.insight.gather.NameProbe;
import io.fairlead.insight.gather.Sources;
import io.fairlead.insight.gather.ThisMachine;
import io.fairlead.insight.simulate.ClusterObjects;
import io.fairlead.insight.simulate.NodeModel;
import io.fairlead.insight.simulate.ProposedChange;
import io.fairlead.insight.simulate.Simulation;
import io.fairlead.insight.simulate.SimulationDocument;
import io.fairlead.insight.simulate.SimulationResult;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.work.Ticker;
import java.security.SecureRandom;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead simulate`: what a change would do to Services. It reads the API and, where nodes
/// answer, their modes and open connections; nothing is written anywhere.
public final class SimulateCommand implements Command {
  private static final int LIMIT_MILLIS = 500;

  /// So many nodes are asked for their modes and connections without `--live`.
  private static final int FEW_NODES = 20;

  @Override
  public int run(Arguments arguments, CommandContext context) {
    Logging.off();
    ClientConfig connection =
        ClientConfigLoader.find(arguments, context, arguments.path("kubeconfig"));
    String namespace = arguments.find("namespace").orElse(connection.namespace());
    List<ProposedChange> changes = new ChangeReader(arguments, namespace).read();
    Optional<ObjectKey> only = only(arguments, namespace);
    try (Client client = new Client(new SocketTransport(connection, "fairlead-simulate"))) {
      Optional<ThisMachine> here = RunningProxy.here(client, context);
      Sources sources =
          new ClusterSources(
                  client,
                  context.clock(),
                  new NameProbe(new SecureRandom(), LIMIT_MILLIS),
                  new HandshakeProbe(Ticker.system(), LIMIT_MILLIS),
                  here)
              .through(NodeInquiry.sockets(arguments, context))
              .throughPods(connection);
      ClusterObjects objects = ClusterObjects.read(sources, namespace);
      refuseWithout(objects, "Service");
      refuseWithout(objects, "EndpointSlice");
      SimulationResult result =
          simulation(arguments, context, sources, objects, here, only).run(changes, only);
      print(arguments, context, result);
      return result.breaks() ? ExitCode.FAULT_FOUND : ExitCode.FINE;
    } catch (ProposedChange.MissingException e) {
      throw new FairleadException(
          ErrorCode.FL303, e, "simulate", String.valueOf(e.getMessage()), "one that exists");
    }
  }

  private static Optional<ObjectKey> only(Arguments arguments, String namespace) {
    if (arguments.operands().isEmpty()) {
      return Optional.empty();
    }
    String text = arguments.operands().getFirst();
    return Optional.of(
        ExplainTarget.parse(text, namespace)
            .filter(target -> target.kind() == ExplainTarget.Kind.SERVICE)
            .map(ExplainTarget::key)
            .orElseThrow(
                () ->
                    new FairleadException(
                        ErrorCode.FL303, arguments.verb().operand(), text, "svc/NAME")));
  }

  private static void refuseWithout(ClusterObjects objects, String kind) {
    if (objects.unseen().containsKey(kind)) {
      throw new FairleadException(ErrorCode.FL217, kind + ": " + objects.unseen().get(kind).name());
    }
  }

  /// With what nodes say about themselves: mode and open connections.
  private static Simulation simulation(
      Arguments arguments,
      CommandContext context,
      Sources sources,
      ClusterObjects objects,
      Optional<ThisMachine> here,
      Optional<ObjectKey> only) {
    List<ObjectNode> nodes =
        objects.all("Node").stream()
            .filter(
                node ->
                    arguments.find("node").isEmpty()
                        || arguments.text("node").equals(ObjectKey.of(node).name()))
            .toList();
    boolean asks = arguments.on("live") || nodes.size() <= FEW_NODES;
    Optional<PublishedProxy> published =
        here.isPresent() ? Optional.empty() : PublishedProxy.find(sources);
    ProxyConfiguration configuration =
        here.map(ThisMachine::configuration)
            .or(() -> published.map(PublishedProxy::configuration))
            .orElseGet(ProxyConfiguration::defaults);
    String question =
        only.map(key -> "flows?namespace=" + key.namespace() + "&service=" + key.name())
            .orElse("flows");
    Map<String, ObjectNode> flows = new TreeMap<>();
    Map<String, ProxyMode> modes = new TreeMap<>();
    for (ObjectNode node : asks ? nodes : List.<ObjectNode>of()) {
      String name = ObjectKey.of(node).name();
      sources
          .node(name, question)
          .value()
          .ifPresent(
              answer -> {
                flows.put(name, answer);
                ProxyMode.find(Json.textOr(answer, "", "mode"))
                    .ifPresent(mode -> modes.put(name, mode));
              });
    }
    ProxyMode usual =
        here.map(ThisMachine::mode)
            .or(() -> modes.values().stream().findFirst())
            .or(() -> published.map(PublishedProxy::mode))
            .orElse(ProxyMode.IPTABLES);
    if (here.isEmpty() && modes.isEmpty() && published.isEmpty()) {
      context.terminal().err().println(context.text("simulate.mode", usual));
    }
    List<NodeModel> models = new ArrayList<>();
    for (ObjectNode node : nodes) {
      ProxyMode mode = modes.getOrDefault(ObjectKey.of(node).name(), usual);
      models.add(new NodeModel(mode, configuration, node));
    }
    return new Simulation(objects, models, SlicePrediction::of, flows, context.clock().instant());
  }

  private static void print(Arguments arguments, CommandContext context, SimulationResult result) {
    String format = arguments.find("output").orElse("");
    if (format.equals("json") || format.equals("yaml")) {
      ObjectNode document = SimulationDocument.of(result, context.clock().instant());
      context
          .terminal()
          .out()
          .print(format.equals("json") ? document.toPrettyString() + "\n" : Yaml.write(document));
      return;
    }
    SentenceCatalog texts =
        (Language.of(context.environment()) == Language.ZH_CN
                ? SentenceCatalog.chinese()
                : SentenceCatalog.english())
            .localized(context.clock().instant(), ZoneId.systemDefault());
    new SimulationText(context, texts, format.equals("wide")).print(result);
  }
}
