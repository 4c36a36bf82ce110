package io.fairlead.app.command.inspect;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.command.MissingService;
import io.fairlead.app.command.explain.ExplainTarget;
import io.fairlead.client.ObjectKey;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.gather.ServiceWait;
import io.fairlead.insight.progress.NodeProgress;
import io.fairlead.insight.progress.ProgressGoal;
import io.fairlead.insight.progress.WaitCondition;
import io.fairlead.insight.progress.WaitDocument;
import io.fairlead.insight.progress.WaitResult;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Collectors;

/// `fairlead wait svc/NAME --for=programmed`: returns when every node's rules show the Service as
/// it is now, or when its endpoints or its name are as wanted.
public final class WaitCommand implements Command {
  @Override
  public int run(Arguments arguments, CommandContext context) {
    WaitCondition condition =
        WaitCondition.parse(arguments.text("for"))
            .orElseThrow(
                () ->
                    new FairleadException(
                        ErrorCode.FL303,
                        "--for",
                        arguments.text("for"),
                        "programmed, ready, serving[=N], name"));
    try (InspectSession session = InspectSession.open(arguments, context)) {
      ObjectKey service = session.operand(0, ExplainTarget.Kind.SERVICE, "svc/NAME");
      WaitResult result =
          new ServiceWait(
                  session.sources(),
                  context.clock(),
                  Ticker.system(),
                  Pacer.system(),
                  new ServiceWait.Settings(
                      arguments.duration("timeout"),
                      arguments.list("nodes"),
                      arguments.text("cluster-domain"),
                      session::nameServer))
              .await(service, condition);
      return new Answer(session, result).print();
    }
  }

  /// What is said about a result.
  private record Answer(InspectSession session, WaitResult result) {
    int print() {
      return switch (result.state()) {
        case ABSENT -> throw MissingService.of(session.client(), result.service());
        case FOREIGN -> throw new FairleadException(ErrorCode.FL198, result.detail());
        case UNSEEN ->
            throw new FairleadException(
                ErrorCode.FL217, result.why().map(InspectSession::said).orElse(""));
        case INTERRUPTED -> ExitCode.INTERRUPTED;
        case DONE -> {
          show(this::done);
          yield ExitCode.FINE;
        }
        case LATE -> {
          show(this::late);
          yield ExitCode.TIMED_OUT;
        }
      };
    }

    private void show(Runnable text) {
      if (!session.print(WaitDocument.of(result))) {
        text.run();
      }
    }

    private String text(String key, Object... values) {
      return session.context().text(key, values);
    }

    private String subject() {
      return "svc/" + result.service().name();
    }

    private void done() {
      var terminal = session.context().terminal();
      if (result.nodes().stream().anyMatch(node -> node.source() == Source.API)) {
        terminal.err().println(text("wait.byLease"));
      }
      result.left().forEach(node -> terminal.err().println(text("wait.left", node)));
      if (result.condition().kind() != WaitCondition.Kind.PROGRAMMED) {
        terminal
            .out()
            .println(
                text(
                    "wait.done",
                    subject(),
                    result.condition(),
                    duration(result.millis()),
                    result.detail()));
        return;
      }
      String slowest =
          result.nodes().size() < 2
              ? ""
              : result.nodes().stream()
                  .max(Comparator.comparingLong(node -> node.millis().orElse(0L)))
                  .map(node -> text("wait.slowest", node.node()))
                  .orElse("");
      terminal
          .out()
          .println(
              text(
                      "wait.programmed",
                      subject(),
                      result.doneNodes(),
                      result.nodes().size(),
                      duration(result.millis()))
                  + slowest);
    }

    private void late() {
      var err = session.context().terminal().err();
      err.println(
          text(
              "wait.late",
              subject(),
              result.condition(),
              duration(result.millis()),
              result.detail().isEmpty() ? "" : ": " + result.detail()));
      ProgressGoal goal = result.goal().orElse(null);
      if (goal == null) {
        return;
      }
      for (NodeProgress node : result.nodes()) {
        if (!node.isDone()) {
          err.println("  " + behind(node, goal));
        }
      }
      result.left().forEach(node -> err.println("  " + text("wait.left", node)));
    }

    private String behind(NodeProgress node, ProgressGoal goal) {
      String heard =
          node.lastHeard()
              .map(
                  at ->
                      duration(
                          Math.max(
                              0,
                              Duration.between(at, session.context().clock().instant())
                                  .toMillis())))
              .orElse("?");
      String has =
          goal.slices().keySet().stream()
              .map(type -> node.slices().getOrDefault(type, "?"))
              .distinct()
              .collect(Collectors.joining(", "));
      return text(
          "wait.node",
          node.node(),
          has.isEmpty() ? node.services() : has,
          goal.newestSlice().isEmpty() ? goal.services() : goal.newestSlice(),
          heard);
    }

    private static String duration(long millis) {
      return ShownTimes.duration(millis);
    }
  }
}
