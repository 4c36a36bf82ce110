package io.fairlead.app.command.explain;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.command.MissingService;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.MachineEvidence;
import io.fairlead.insight.evidence.PodEvidence;
import io.fairlead.insight.evidence.PolicyEvidence;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.explain.Explanation;
import io.fairlead.insight.explain.ExplanationDocument;
import io.fairlead.insight.explain.NodeExplainer;
import io.fairlead.insight.explain.PodExplainer;
import io.fairlead.insight.explain.PolicyExplainer;
import io.fairlead.insight.explain.ServiceExplainer;
import io.fairlead.insight.explain.VerdictLine;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Verdict;
import io.fairlead.insight.gather.ExplainOptions;
import io.fairlead.insight.gather.ObjectGathering;
import io.fairlead.insight.gather.PolicyGathering;
import io.fairlead.insight.gather.ServiceGathering;
import io.fairlead.insight.gather.Sources;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// One call of `explain`: gathers, judges, prints, and again when it waits.
final class ExplainSession {
  private static final int MANY = 5000;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Arguments arguments;
  private final CommandContext context;
  private final Sources sources;
  private final ExplainOptions options;
  private final SentenceCatalog texts;

  ExplainSession(
      Arguments arguments,
      CommandContext context,
      Sources sources,
      ExplainOptions options,
      SentenceCatalog texts) {
    this.arguments = arguments;
    this.context = context;
    this.sources = sources;
    this.options = options;
    this.texts = texts;
  }

  /// Explains one object, once or until it works.
  int one(ExplainTarget target) {
    Optional<String> wait = arguments.find("wait");
    if (wait.isEmpty()) {
      return print(ask(target));
    }
    return await(target, arguments.duration("wait"));
  }

  /// The answer to one question.
  ///
  /// @param missing what is wrong when there is nothing to explain
  private record Answer(
      Optional<Explanation> explanation, Optional<Finding> missing, long tookMillis) {
    boolean works() {
      return explanation.filter(each -> each.verdict() != Verdict.BROKEN).isPresent();
    }
  }

  private Answer ask(ExplainTarget target) {
    long started = Ticker.system().nanos();
    ObjectGathering objects = new ObjectGathering(sources, context.clock(), options.limit());
    return switch (target.kind()) {
      case SERVICE -> service(target, started);
      case POD -> {
        PodEvidence evidence = objects.pod(target.key());
        yield answer(
            PodExplainer.explain(evidence, found(evidence.pod(), "pod/" + target.key())), started);
      }
      case NODE -> {
        MachineEvidence evidence = objects.node(target.key().name());
        yield answer(
            NodeExplainer.explain(evidence, found(evidence.node(), "node/" + target.key().name())),
            started);
      }
      case POLICY -> {
        PolicyEvidence evidence =
            new PolicyGathering(sources, context.clock(), options.limit()).gather(target.key());
        yield answer(
            PolicyExplainer.explain(evidence, found(evidence.policy(), "netpol/" + target.key())),
            started);
      }
    };
  }

  private static Answer answer(Explanation explanation, long started) {
    return new Answer(
        Optional.of(explanation),
        Optional.empty(),
        (Ticker.system().nanos() - started) / 1_000_000);
  }

  /// What must be there to be explained.
  private <T> T found(Evidence<Optional<T>> evidence, String what) {
    if (evidence instanceof Unseen<?> unseen) {
      throw new FairleadException(ErrorCode.FL217, said(unseen.why()));
    }
    return evidence
        .value()
        .flatMap(found -> found)
        .orElseThrow(
            () ->
                new FairleadException(
                    ErrorCode.FL303, arguments.verb().operand(), what, "one that exists"));
  }

  private Answer service(ExplainTarget target, long started) {
    ServiceEvidence evidence =
        new ServiceGathering(sources, context.clock(), Ticker.system(), options)
            .gather(target.key());
    if (evidence.service() instanceof Unseen<?> unseen) {
      throw new FairleadException(ErrorCode.FL217, said(unseen.why()));
    }
    Optional<ServiceFacts> service = evidence.service().value().flatMap(found -> found);
    Optional<Finding> missing =
        service.isEmpty()
            ? Optional.of(ServiceExplainer.missing(evidence))
            : ServiceExplainer.missingPort(service.get(), options.port());
    return new Answer(
        missing.isPresent()
            ? Optional.empty()
            : service.map(facts -> ServiceExplainer.explain(evidence, facts, options.port())),
        missing,
        (Ticker.system().nanos() - started) / 1_000_000);
  }

  private String said(Why why) {
    return switch (why) {
      case Why.NoAnswer(String detail) -> detail;
      case Why.Forbidden(String verb, String resource) -> "may not " + verb + " " + resource;
      default -> why.name();
    };
  }

  private int print(Answer answer) {
    if (answer.missing().isPresent()) {
      return missing(answer.missing().get());
    }
    Explanation explanation = answer.explanation().orElseThrow();
    String format = arguments.find("output").orElse("");
    PrintStream out = context.terminal().out();
    switch (format) {
      case "json", "yaml" -> {
        ObjectNode document =
            ExplanationDocument.of(explanation, context.clock().instant(), answer.tookMillis());
        out.print(format.equals("json") ? document.toPrettyString() + "\n" : Yaml.write(document));
      }
      case "name" -> {
        out.println(
            explanation.subject().kind().toString().toLowerCase(Locale.ROOT)
                + "/"
                + explanation.subject().name());
        explanation.findings().stream().map(Finding::code).distinct().forEach(out::println);
      }
      default -> new ExplanationPrinter(context, texts, format.equals("wide")).print(explanation);
    }
    return exit(explanation.verdict());
  }

  /// @param name of a Service, with its namespace
  private FairleadException absent(String name) {
    ObjectKey key =
        new ObjectKey(
            name.substring(0, Math.max(0, name.indexOf('/'))),
            name.substring(name.indexOf('/') + 1));
    return MissingService.of(
        key,
        sources
            .list(
                ResourceType.SERVICES,
                key.namespace(),
                ListOptions.ALL,
                MANY,
                service -> Json.textOr(service, "", "metadata", "name"))
            .value()
            .orElse(List.of()));
  }

  private int missing(Finding finding) {
    if (finding.code() == FindingCode.FL100) {
      throw absent(String.valueOf(finding.values().getOrDefault("key", "")));
    }
    if (arguments.find("output").isPresent() && !arguments.text("output").equals("wide")) {
      ObjectNode document =
          Json.object()
              .put("apiVersion", "cli.fairlead.dev/v1")
              .put("kind", "Explanation")
              .put("verdict", Verdict.BROKEN.toString())
              .put("code", finding.code().name());
      document.put("message", VerdictLine.broken(finding, SentenceCatalog.english()));
      context.terminal().out().println(document.toPrettyString());
    } else {
      context.terminal().out().println(VerdictLine.broken(finding, texts));
      context
          .terminal()
          .out()
          .println(texts.text(Sentence.of("verdict.next", "next", texts.text(finding.next()))));
    }
    return ExitCode.FAULT_FOUND;
  }

  private int exit(Verdict verdict) {
    return switch (verdict) {
      case WORKS -> ExitCode.FINE;
      case WARNINGS, UNKNOWN -> arguments.on("strict") ? ExitCode.FAULT_FOUND : ExitCode.FINE;
      case BROKEN -> ExitCode.FAULT_FOUND;
    };
  }

  /// Asks every second, prints when the answer changes, ends at the first without a fault.
  private int await(ExplainTarget target, Duration patience) {
    Ticker ticker = Ticker.system();
    long end = ticker.nanos() + patience.toNanos();
    String last = "";
    while (true) {
      Answer answer = ask(target);
      String now =
          answer
              .explanation()
              .map(each -> VerdictLine.of(each, texts))
              .orElseGet(() -> texts.text(answer.missing().orElseThrow().sentence()));
      if (answer.works()) {
        return print(answer);
      }
      if (!now.equals(last)) {
        last = now;
        context.terminal().err().println(now);
      }
      if (ticker.nanos() + PAUSE.toNanos() > end) {
        return ExitCode.TIMED_OUT;
      }
      try {
        Pacer.system().pause(PAUSE);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return ExitCode.INTERRUPTED;
      }
    }
  }

  /// One line for each Service, the worst first. Nothing is sent.
  int all(String namespace) {
    List<ServiceSurvey.Line> lines =
        new ServiceSurvey(sources, context.clock())
            .lines(
                arguments.on("all-namespaces") ? "" : namespace,
                arguments.find("selector").orElse(""));
    for (ServiceSurvey.Line line : lines) {
      context.terminal().out().println(ServiceSurvey.text(line, context, texts));
    }
    boolean faults =
        lines.stream().anyMatch(line -> line.gravest().filter(Severity.FAULT::equals).isPresent());
    boolean warnings =
        lines.stream()
            .anyMatch(line -> line.gravest().filter(Severity.WARNING::equals).isPresent());
    return faults || (warnings && arguments.on("strict")) ? ExitCode.FAULT_FOUND : ExitCode.FINE;
  }
}
