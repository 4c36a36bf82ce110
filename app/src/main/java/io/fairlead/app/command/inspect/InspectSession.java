package io.fairlead.app.command.inspect;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.command.ClientConfigLoader;
import io.fairlead.app.command.NodeInquiry;
import io.fairlead.app.command.RunningProxy;
import io.fairlead.app.command.explain.ExplainTarget;
import io.fairlead.app.logging.Logging;
import io.fairlead.app.text.Language;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.gather.ClusterSources;
import io.fairlead.insight.gather.HandshakeProbe;
import io.fairlead.insight.gather.NameProbe;
import io.fairlead.work.Ticker;
import java.security.SecureRandom;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// What one call of these verbs works with: the cluster it asks and the words it answers in.
///
/// @param namespace of `-n`, else of the kubeconfig; empty with `-A`
record InspectSession(
    Arguments arguments,
    CommandContext context,
    Client client,
    ClusterSources sources,
    String namespace,
    SentenceCatalog texts)
    implements AutoCloseable {
  private static final int CONNECT_MILLIS = 1000;
  private static final int DNS_MILLIS = 500;
  private static final int MANY = 5000;
  private static final ObjectKey DNS = new ObjectKey("kube-system", "kube-dns");

  static InspectSession open(Arguments arguments, CommandContext context) {
    Logging.off();
    ClientConfig connection =
        ClientConfigLoader.find(arguments, context, arguments.path("kubeconfig"));
    Client client =
        new Client(new SocketTransport(connection, "fairlead-" + arguments.verb().name()));
    ClusterSources sources =
        new ClusterSources(
                client,
                context.clock(),
                new NameProbe(new SecureRandom(), DNS_MILLIS),
                new HandshakeProbe(Ticker.system(), CONNECT_MILLIS),
                RunningProxy.here(client, context))
            .through(NodeInquiry.sockets(arguments, context))
            .throughPods(connection);
    return new InspectSession(
        arguments,
        context,
        client,
        sources,
        arguments.on("all-namespaces")
            ? ""
            : arguments.find("namespace").orElse(connection.namespace()),
        (Language.of(context.environment()) == Language.ZH_CN
                ? SentenceCatalog.chinese()
                : SentenceCatalog.english())
            .localized(context.clock().instant(), ZoneId.systemDefault()));
  }

  /// The operand as an object of that kind.
  ObjectKey operand(int index, ExplainTarget.Kind kind, String form) {
    if (arguments.operands().size() <= index) {
      throw new FairleadException(
          ErrorCode.FL308, arguments.verb().name(), arguments.verb().operand());
    }
    String text = arguments.operands().get(index);
    return ExplainTarget.parse(
            kind == ExplainTarget.Kind.POD && !text.contains("/") ? "pod/" + text : text, namespace)
        .filter(target -> target.kind() == kind)
        .map(ExplainTarget::key)
        .orElseThrow(
            () -> new FairleadException(ErrorCode.FL303, arguments.verb().operand(), text, form));
  }

  /// What was seen; otherwise the command cannot do its work.
  <T> T seen(Evidence<T> evidence) {
    if (evidence instanceof Unseen<T> unseen) {
      throw new FairleadException(ErrorCode.FL217, said(unseen.why()));
    }
    return evidence.value().orElseThrow();
  }

  static String said(Why why) {
    return switch (why) {
      case Why.NoAnswer(String detail) -> detail;
      case Why.Forbidden(String verb, String resource) -> "may not " + verb + " " + resource;
      default -> why.name();
    };
  }

  /// The names of all nodes.
  List<String> nodes() {
    return seen(
        sources.list(
            ResourceType.NODES,
            "",
            ListOptions.ALL,
            MANY,
            node -> Json.textOr(node, "", "metadata", "name")));
  }

  /// Where names are asked for: `--server`, else the cluster's DNS Service.
  Optional<String> nameServer() {
    return arguments
        .find("server")
        .or(
            () ->
                sources
                    .find(ResourceType.SERVICES, DNS)
                    .value()
                    .flatMap(found -> found)
                    .map(one -> Json.textOr(one, "", "spec", "clusterIP"))
                    .filter(one -> !one.isEmpty() && !one.equals("None")));
  }

  /// Prints a document in the form asked for; false when none was.
  boolean print(ObjectNode document) {
    String format = arguments.find("output").orElse("");
    switch (format) {
      case "json" -> context.terminal().out().println(document.toPrettyString());
      case "yaml" -> context.terminal().out().print(Yaml.write(document));
      default -> {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    client.close();
  }
}
