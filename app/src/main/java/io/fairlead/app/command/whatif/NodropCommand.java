package io.fairlead.app.command.whatif;

import io.fairlead.api.status.ApiException;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.command.ClientConfigLoader;
import io.fairlead.app.command.MissingService;
import io.fairlead.app.command.NodeInquiry;
import io.fairlead.app.command.RunningProxy;
import io.fairlead.app.command.explain.ExplainTarget;
import io.fairlead.app.logging.Logging;
import io.fairlead.app.text.Language;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.explain.Explanation;
import io.fairlead.insight.explain.ServiceExplainer;
import io.fairlead.insight.explain.VerdictLine;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.finding.Verdict;
import io.fairlead.insight.gather.ClusterSources;
import io.fairlead.insight.gather.ExplainOptions;
import io.fairlead.insight.gather.HandshakeProbe;
import io.fairlead.insight.gather.NameProbe;
import io.fairlead.insight.gather.ServiceGathering;
import io.fairlead.work.Ticker;
import java.security.SecureRandom;
import java.time.ZoneId;
import java.util.Optional;

/// `fairlead nodrop svc/NAME -- COMMAND`: connects all the time while a command runs, and says what
/// was lost and why.
public final class NodropCommand implements Command {
  private static final int CONNECT_MILLIS = 1000;
  private static final int DNS_MILLIS = 500;
  private static final int MOST_A_SECOND = 2000;

  @Override
  public int run(Arguments arguments, CommandContext context) {
    Logging.off();
    ClientConfig connection =
        ClientConfigLoader.find(arguments, context, arguments.path("kubeconfig"));
    String namespace = arguments.find("namespace").orElse(connection.namespace());
    ObjectKey key = key(arguments, namespace);
    if (arguments.number("rate") > MOST_A_SECOND) {
      throw new FairleadException(
          ErrorCode.FL303, "--rate", arguments.text("rate"), "1-" + MOST_A_SECOND);
    }
    SentenceCatalog texts =
        (Language.of(context.environment()) == Language.ZH_CN
                ? SentenceCatalog.chinese()
                : SentenceCatalog.english())
            .localized(context.clock().instant(), ZoneId.systemDefault());
    try (Client client = new Client(new SocketTransport(connection, "fairlead-nodrop"))) {
      ClusterSources sources =
          new ClusterSources(
                  client,
                  context.clock(),
                  new NameProbe(new SecureRandom(), DNS_MILLIS),
                  new HandshakeProbe(Ticker.system(), CONNECT_MILLIS),
                  RunningProxy.here(client, context))
              .through(NodeInquiry.sockets(arguments, context))
              .throughPods(connection);
      ServiceEvidence evidence =
          new ServiceGathering(sources, context.clock(), Ticker.system(), ExplainOptions.DEFAULT)
              .gather(key);
      ServiceFacts service =
          evidence
              .service()
              .value()
              .flatMap(found -> found)
              .orElseThrow(() -> MissingService.of(client, key));
      Optional<Finding> port =
          ServiceExplainer.missingPort(service, arguments.find("port").orElse(""));
      if (port.isPresent()) {
        return refused(context, VerdictLine.broken(port.get(), texts));
      }
      NodropSession session = NodropSession.of(arguments, context, service, texts);
      Explanation explanation =
          ServiceExplainer.explain(evidence, service, arguments.find("port").orElse(""));
      if (explanation.verdict() == Verdict.BROKEN) {
        return refused(context, VerdictLine.of(explanation, texts));
      }
      return session.run(client, sources);
    } catch (ApiException e) {
      throw new FairleadException(ErrorCode.FL217, e, String.valueOf(e.getMessage()));
    } catch (ConnectionException e) {
      throw new FairleadException(ErrorCode.FL217, e, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.INTERRUPTED;
    }
  }

  private static ObjectKey key(Arguments arguments, String namespace) {
    boolean idle = arguments.operands().size() < 2 && arguments.find("duration").isEmpty();
    if (arguments.operands().isEmpty() || idle) {
      throw new FairleadException(
          ErrorCode.FL308,
          arguments.verb().name(),
          "svc/NAME -- COMMAND, svc/NAME --duration TIME");
    }
    String text = arguments.operands().getFirst();
    return ExplainTarget.parse(text, namespace)
        .filter(target -> target.kind() == ExplainTarget.Kind.SERVICE)
        .map(ExplainTarget::key)
        .orElseThrow(
            () ->
                new FairleadException(
                    ErrorCode.FL303, arguments.verb().operand(), text, "svc/NAME"));
  }

  private static int refused(CommandContext context, String why) {
    context.terminal().out().println(why);
    context.terminal().out().println(context.text("nodrop.broken"));
    return ExitCode.FAULT_FOUND;
  }
}
