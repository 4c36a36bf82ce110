package io.fairlead.app.command.explain;

import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.client.ObjectKey;
import io.fairlead.insight.explain.Explanation;
import io.fairlead.insight.explain.ServiceExplainer;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Subject;
import io.fairlead.insight.gather.Sources;
import io.fairlead.insight.gather.SurveyGathering;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// All Services at a glance: one list for each kind, one line for each Service.
final class ServiceSurvey {
  private final Sources sources;
  private final InstantSource clock;

  ServiceSurvey(Sources sources, InstantSource clock) {
    this.sources = sources;
    this.clock = clock;
  }

  /// One Service.
  record Line(ObjectKey key, Optional<Finding> first) {
    Optional<Severity> gravest() {
      return first.map(Finding::severity);
    }
  }

  /// @param namespace empty for all
  /// @param selector of labels; empty for all
  List<Line> lines(String namespace, String selector) {
    SurveyGathering gathering = new SurveyGathering(sources, clock);
    List<Line> lines = new ArrayList<>();
    gathering
        .gather(namespace, selector)
        .orElseThrow(() -> new FairleadException(ErrorCode.FL217, "Services cannot be listed"))
        .forEach(
            evidence -> {
              Explanation explanation =
                  ServiceExplainer.explain(
                      evidence, evidence.service().value().orElseThrow().orElseThrow(), "");
              lines.add(new Line(evidence.key(), explanation.first()));
            });
    lines.sort(
        Comparator.comparing((Line line) -> line.gravest().orElse(Severity.NOTE))
            .thenComparing(line -> line.key().toString()));
    return lines;
  }

  /// `✗ shop/web selector app=web selects no pod FL102`.
  static String text(Line line, CommandContext context, SentenceCatalog texts) {
    Mark mark =
        line.gravest()
            .map(severity -> severity == Severity.FAULT ? Mark.BAD : Mark.WARNING)
            .orElse(Mark.GOOD);
    String begin = context.terminal().mark(mark) + " " + line.key();
    return line.first()
        .map(
            finding ->
                begin
                    + "  "
                    + (finding.subject().kind() == Subject.Kind.POD
                        ? finding.subject().name() + ": "
                        : "")
                    + texts.text(finding.sentence())
                    + "  "
                    + finding.code())
        .orElse(begin);
  }
}
