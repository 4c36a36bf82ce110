package io.fairlead.app.command.explain;

import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.app.text.Columns;
import io.fairlead.insight.explain.Explanation;
import io.fairlead.insight.explain.Row;
import io.fairlead.insight.explain.RowItem;
import io.fairlead.insight.explain.RowState;
import io.fairlead.insight.explain.VerdictLine;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Subject;
import io.fairlead.insight.finding.Verdict;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Writes an explanation for people: the header, a row for each question, what to do next.
final class ExplanationPrinter {
  /// Where the words for sources begin.
  private static final int SOURCE_COLUMN = 99;

  private static final int NAME_WIDTH = 11;
  private static final int PROSE_INDENT = 13;
  private static final int SHOWN = 5;

  private final CommandContext context;
  private final SentenceCatalog texts;
  private final boolean wide;

  /// @param wide all items, not only the first of each sort
  ExplanationPrinter(CommandContext context, SentenceCatalog texts, boolean wide) {
    this.context = context;
    this.texts = texts;
    this.wide = wide;
  }

  void print(Explanation explanation) {
    PrintStream out = context.terminal().out();
    out.println(texts.text(explanation.header()));
    out.println();
    explanation.rows().forEach(row -> print(row, out));
    out.println();
    out.println(verdict(explanation));
  }

  /// The verdict, and what to do next behind it, or below it for a fault.
  String verdict(Explanation explanation) {
    String line = VerdictLine.of(explanation, texts);
    Optional<String> next =
        VerdictLine.next(explanation, texts)
            .map(text -> texts.text(Sentence.of("verdict.next", "next", text)));
    return next.map(text -> line + (explanation.verdict() == Verdict.BROKEN ? "\n" : " ") + text)
        .orElse(line);
  }

  private void print(Row row, PrintStream out) {
    out.println(
        line(
            mark(row.shownState()) + " " + Columns.pad(row.name(), NAME_WIDTH),
            2 + NAME_WIDTH,
            texts.text(row.message()),
            row.source().map(Object::toString).orElse(""),
            row.code()));
    items(row, out);
    for (Finding finding : row.prose()) {
      prose(finding, out);
    }
  }

  private void prose(Finding finding, PrintStream out) {
    boolean part = finding.subject().kind() == Subject.Kind.POD;
    String indent = " ".repeat(part ? 3 : PROSE_INDENT);
    String mark = mark(state(finding.severity()));
    String text = texts.text(finding.sentence());
    out.println(
        line(
            indent + mark + " ",
            indent.length() + 2,
            (part ? finding.subject().name() + "  " : "") + text,
            finding.source().toString(),
            Optional.of(finding.code())));
  }

  private static RowState state(Severity severity) {
    return switch (severity) {
      case FAULT -> RowState.FAULT;
      case WARNING -> RowState.WARNING;
      case NOTE -> RowState.NONE;
    };
  }

  /// One line with its source in its column, or two blanks behind a long text.
  private static String line(
      String begin, int beginWidth, String text, String source, Optional<FindingCode> code) {
    StringBuilder line = new StringBuilder(begin);
    if (source.isEmpty() && code.isEmpty()) {
      return line.append(text).toString();
    }
    line.append(Columns.pad(text, SOURCE_COLUMN - beginWidth - 2)).append("  ").append(source);
    code.ifPresent(each -> line.append("  ").append(each));
    return line.toString();
  }

  private void items(Row row, PrintStream out) {
    Map<String, Integer> shown = new HashMap<>();
    List<List<String>> lines = new ArrayList<>();
    int hidden = 0;
    for (RowItem item : row.items()) {
      String sort = item.code().map(FindingCode::name).orElse("");
      if (!wide && shown.merge(sort, 1, Integer::sum) > SHOWN) {
        hidden++;
        continue;
      }
      lines.add(
          List.of(
              mark(item.mark()) + " " + (item.pod().isEmpty() ? "–" : item.pod()),
              item.place(),
              item.node().isEmpty() ? "" : context.text("explain.node", item.node()),
              texts.text(item.text()) + item.code().map(code -> "   " + code).orElse("")));
    }
    out.print(Columns.table("   ", lines));
    if (hidden > 0) {
      out.println("   " + context.text("explain.more", hidden));
    }
  }

  private String mark(RowState state) {
    return context
        .terminal()
        .mark(
            switch (state) {
              case OK -> Mark.GOOD;
              case WARNING -> Mark.WARNING;
              case FAULT -> Mark.BAD;
              case NONE, UNKNOWN -> Mark.NOTHING;
            });
  }
}
