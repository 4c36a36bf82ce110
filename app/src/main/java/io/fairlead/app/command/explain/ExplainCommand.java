package io.fairlead.app.command.explain;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.command.ClientConfigLoader;
import io.fairlead.app.command.NodeInquiry;
import io.fairlead.app.command.RunningProxy;
import io.fairlead.app.logging.Logging;
import io.fairlead.app.text.Language;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.gather.ClusterSources;
import io.fairlead.insight.gather.ExplainOptions;
import io.fairlead.insight.gather.HandshakeProbe;
import io.fairlead.insight.gather.NameProbe;
import io.fairlead.work.Ticker;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;

/// `fairlead explain svc/NAME`: why a Service does or does not work, with evidence.
public final class ExplainCommand implements Command {
  private static final int CONNECT_MILLIS = 1000;
  private static final int DNS_MILLIS = 500;

  @Override
  public int run(Arguments arguments, CommandContext context) {
    Logging.off();
    ClientConfig connection =
        ClientConfigLoader.find(arguments, context, arguments.path("kubeconfig"));
    String namespace = arguments.find("namespace").orElse(connection.namespace());
    Optional<ExplainTarget> target = target(arguments, context, namespace);
    if (target.isEmpty() && !arguments.operands().isEmpty()) {
      return ExitCode.USAGE;
    }
    try (Client client = new Client(new SocketTransport(connection, "fairlead-explain"))) {
      ClusterSources sources =
          new ClusterSources(
                  client,
                  context.clock(),
                  new NameProbe(new SecureRandom(), DNS_MILLIS),
                  new HandshakeProbe(Ticker.system(), CONNECT_MILLIS),
                  RunningProxy.here(client, context))
              .through(NodeInquiry.sockets(arguments, context))
              .throughPods(connection);
      SentenceCatalog texts =
          (Language.of(context.environment()) == Language.ZH_CN
                  ? SentenceCatalog.chinese()
                  : SentenceCatalog.english())
              .localized(context.clock().instant(), ZoneId.systemDefault());
      ExplainSession session =
          new ExplainSession(arguments, context, sources, options(arguments, namespace), texts);
      return target.isEmpty() ? session.all(namespace) : session.one(target.get());
    }
  }

  /// Empty when all Services are meant, or when the operand is only a kind.
  private static Optional<ExplainTarget> target(
      Arguments arguments, CommandContext context, String namespace) {
    if (arguments.operands().isEmpty()) {
      if (arguments.on("all-namespaces") || arguments.find("selector").isPresent()) {
        return Optional.empty();
      }
      throw new FairleadException(
          ErrorCode.FL308, arguments.verb().name(), arguments.verb().operand());
    }
    String text = arguments.operands().getFirst();
    if (ExplainTarget.isKind(text)) {
      context.terminal().err().println(context.text("explain.kind", text, context.program()));
      return Optional.empty();
    }
    return Optional.of(
        ExplainTarget.parse(text, namespace)
            .orElseThrow(
                () ->
                    new FairleadException(
                        ErrorCode.FL303,
                        arguments.verb().operand(),
                        text,
                        "svc/NAME, pod/NAME, node/NAME, netpol/NAME, NAME.NAMESPACE")));
  }

  private static ExplainOptions options(Arguments arguments, String namespace) {
    Optional<ObjectKey> pod = Optional.empty();
    Optional<String> node = Optional.empty();
    if (arguments.find("from").isPresent()) {
      String from = arguments.text("from");
      ExplainTarget client =
          ExplainTarget.parse(from.contains("/") ? from : "pod/" + from, namespace)
              .filter(
                  each ->
                      each.kind() == ExplainTarget.Kind.POD
                          || each.kind() == ExplainTarget.Kind.NODE)
              .orElseThrow(
                  () ->
                      new FairleadException(
                          ErrorCode.FL303, "--from", from, "pod/NAME, node/NAME"));
      pod = Optional.of(client.key()).filter(_ -> client.kind() == ExplainTarget.Kind.POD);
      node = Optional.of(client.key().name()).filter(_ -> client.kind() == ExplainTarget.Kind.NODE);
    }
    return new ExplainOptions(
        arguments.find("port").orElse(""),
        pod,
        node,
        !arguments.on("no-probe"),
        arguments.find("ip").orElse(""),
        arguments.text("cluster-domain"),
        arguments.find("server"),
        limit(arguments));
  }

  private static Duration limit(Arguments arguments) {
    return arguments.duration("request-timeout");
  }
}
