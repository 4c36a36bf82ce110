package io.fairlead.app.command.inspect;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.app.text.Columns;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.gather.VerifyGathering;
import io.fairlead.insight.verify.NodeVerification;
import io.fairlead.insight.verify.NodeVerifier;
import io.fairlead.insight.verify.ServicePortDifference;
import io.fairlead.insight.verify.VerificationDocument;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// `fairlead verify`: whether nodes are as they should be, for cron.
public final class VerifyCommand implements Command {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int SOURCE_COLUMN = 99;
  private static final int NAMED = 3;

  @Override
  public int run(Arguments arguments, CommandContext context) {
    long start = Ticker.system().nanos();
    try (InspectSession session = InspectSession.open(arguments, context)) {
      List<String> nodes = nodes(session);
      VerifyGathering.NameQuestion question =
          new VerifyGathering.NameQuestion(
              session.nameServer(),
              "kubernetes.default.svc." + arguments.text("cluster-domain") + ".",
              arguments.find("server").isPresent() || session.sources().localNode().isPresent());
      List<NodeVerification> found =
          new VerifyGathering(session.sources(), context.clock(), Ticker.system(), LIMIT)
              .gather(nodes, question).stream().map(NodeVerifier::verify).toList();
      boolean blind = found.stream().allMatch(each -> each.blind().isPresent());
      if (blind) {
        throw new FairleadException(
            ErrorCode.FL217,
            found.stream()
                .flatMap(each -> each.blind().stream())
                .map(InspectSession::said)
                .distinct()
                .collect(Collectors.joining(", ")));
      }
      boolean faults = found.stream().anyMatch(each -> each.count(Severity.FAULT) > 0);
      boolean warnings = found.stream().anyMatch(each -> each.count(Severity.WARNING) > 0);
      boolean fine = !faults && !warnings;
      if (!(fine && arguments.on("quiet"))
          && !session.print(VerificationDocument.of(found, context.clock().instant()))) {
        found.forEach(node -> print(session, node));
        summary(session, found, (Ticker.system().nanos() - start) / 1_000_000);
      }
      return faults || (warnings && arguments.on("strict")) ? ExitCode.FAULT_FOUND : ExitCode.FINE;
    }
  }

  private static List<String> nodes(InspectSession session) {
    Arguments arguments = session.arguments();
    Optional<String> named = arguments.find("node");
    if (named.isPresent()) {
      if (!session.nodes().contains(named.get())) {
        throw new FairleadException(
            ErrorCode.FL303, "--node", named.get(), String.join(", ", session.nodes()));
      }
      return List.of(named.get());
    }
    Optional<String> here = session.sources().localNode();
    return arguments.on("all-nodes") || here.isEmpty() ? session.nodes() : List.of(here.get());
  }

  private static void print(InspectSession session, NodeVerification node) {
    CommandContext context = session.context();
    String agree =
        node.agreeing()
            .map(
                count ->
                    context.text("verify.agree", count, node.servicePorts().orElse(0L))
                        + differ(context, node))
            .orElseGet(() -> context.text("verify.unread"));
    boolean differs = node.agreeing().isPresent() && !node.agreeing().equals(node.servicePorts());
    Mark mark =
        node.blind().isPresent() || node.agreeing().isEmpty()
            ? Mark.NOTHING
            : differs ? Mark.BAD : Mark.GOOD;
    String text =
        node.blind()
            .map(why -> context.text("verify.blind", node.node(), InspectSession.said(why)))
            .orElseGet(
                () ->
                    node.node()
                        + "  "
                        + node.mode()
                        + "  "
                        + context.text("verify.services", node.services().orElse(0L))
                        + "  "
                        + agree);
    line(session, mark, text, node.blind().isPresent() ? "" : "kernel", differs ? "FL140" : "");
    for (Finding finding : node.findings()) {
      if (!finding.code().name().equals("FL140") || !differs) {
        line(
            session,
            switch (finding.severity()) {
              case FAULT -> Mark.BAD;
              case WARNING -> Mark.WARNING;
              case NOTE -> Mark.NOTHING;
            },
            node.node() + "  " + session.texts().text(finding.sentence()),
            finding.source().toString(),
            finding.code().name());
      }
    }
  }

  private static String differ(CommandContext context, NodeVerification node) {
    if (node.differences().isEmpty()) {
      return "";
    }
    String names =
        node.differences().stream()
            .map(ServicePortDifference::name)
            .distinct()
            .limit(NAMED)
            .collect(Collectors.joining(", "));
    return context.text(
        "verify.differ", node.servicePorts().orElse(0L) - node.agreeing().orElse(0L), names);
  }

  private static void line(
      InspectSession session, Mark mark, String text, String source, String code) {
    String line =
        session.context().terminal().mark(mark)
            + " "
            + Columns.pad(text, SOURCE_COLUMN - 4)
            + "  "
            + source
            + (code.isEmpty() ? "" : "  " + code);
    session.context().terminal().out().println(line.stripTrailing());
  }

  private static void summary(InspectSession session, List<NodeVerification> nodes, long millis) {
    long faults = nodes.stream().mapToLong(each -> each.count(Severity.FAULT)).sum();
    long warnings = nodes.stream().mapToLong(each -> each.count(Severity.WARNING)).sum();
    session
        .context()
        .terminal()
        .out()
        .println(
            session
                .context()
                .text(
                    "verify.summary", faults, warnings, nodes.size(), ShownTimes.duration(millis)));
  }
}
