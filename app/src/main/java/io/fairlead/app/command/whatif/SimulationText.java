package io.fairlead.app.command.whatif;

import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.app.text.Columns;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Subject;
import io.fairlead.insight.simulate.ServiceEffect;
import io.fairlead.insight.simulate.ServiceEffect.PlacedEndpoint;
import io.fairlead.insight.simulate.SimulationResult;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A simulation for people: what changes, Service by Service.
///
/// @param wide with the text of rules
record SimulationText(CommandContext context, SentenceCatalog texts, boolean wide) {
  private static final int LISTED = 5;
  private static final int MARGIN = 14;

  void print(SimulationResult result) {
    PrintStream out = context.terminal().out();
    List<ServiceEffect> noticeable = result.noticeable();
    noticeable.forEach(effect -> service(out, effect));
    result.notes().forEach(note -> line(out, Mark.WARNING, texts.text(note)));
    result
        .ignored()
        .forEach(each -> line(out, Mark.NOTHING, context.text("simulate.ignored", each)));
    int others = result.services().size() - noticeable.size();
    if (others > 0) {
      out.println(context.text("simulate.rules.only", others));
    }
    out.println(context.text("simulate.nothing", noticeable.size(), result.all()));
  }

  private void line(PrintStream out, Mark mark, String text) {
    out.println(context.terminal().mark(mark) + " " + text);
  }

  private void service(PrintStream out, ServiceEffect effect) {
    String difference =
        Stream.concat(
                without(effect.before(), effect.after()).map(each -> "−" + each.shown()),
                without(effect.after(), effect.before()).map(each -> "+" + each.shown()))
            .limit(LISTED)
            .collect(Collectors.joining(", "));
    String counts =
        effect.before().size() == effect.after().size()
            ? context.text("simulate.same", effect.after().size())
            : context.text("simulate.endpoints", effect.before().size(), effect.after().size());
    out.println(
        effect.key() + "   " + counts + (difference.isEmpty() ? "" : " (" + difference + ")"));
    slices(out, effect.slices());
    shares(out, effect.shares());
    rules(out, effect.rules());
    effect
        .connections()
        .filter(each -> each.ending() + each.staying() > 0)
        .ifPresent(
            each ->
                row(
                    out,
                    "simulate.row.connections",
                    context.text(
                        "simulate.connections",
                        each.ending(),
                        each.ending() + each.staying(),
                        each.staying())));
    effect
        .notes()
        .forEach(
            note ->
                out.println("  " + context.terminal().mark(Mark.WARNING) + " " + texts.text(note)));
    findings(out, effect.findings());
  }

  private static Stream<PlacedEndpoint> without(
      List<PlacedEndpoint> all, List<PlacedEndpoint> known) {
    return all.stream()
        .filter(each -> known.stream().noneMatch(other -> other.address().equals(each.address())));
  }

  private void row(PrintStream out, String name, String text) {
    out.println("  " + Columns.pad(context.text(name), MARGIN) + text);
  }

  private void slices(PrintStream out, ServiceEffect.SliceEffect slices) {
    List<String> parts = new ArrayList<>();
    part(parts, "simulate.changed", slices.changed());
    part(parts, "simulate.made", slices.made());
    part(parts, "simulate.removed", slices.removed());
    if (!parts.isEmpty()) {
      row(out, "simulate.row.slices", String.join("; ", parts));
    }
  }

  private void part(List<String> parts, String key, List<String> names) {
    if (!names.isEmpty()) {
      parts.add(context.text(key, listed(names)));
    }
  }

  private static String listed(List<String> all) {
    return all.size() <= LISTED
        ? String.join(", ", all)
        : String.join(", ", all.subList(0, LISTED)) + " + " + (all.size() - LISTED);
  }

  private void shares(PrintStream out, List<ServiceEffect.ShareChange> shares) {
    if (shares.isEmpty()) {
      return;
    }
    row(
        out,
        "simulate.row.shares",
        listed(
            shares.stream()
                .map(
                    each ->
                        each.endpoint().shown()
                            + " "
                            + percent(each.before())
                            + " → "
                            + percent(each.after())
                            + " %")
                .distinct()
                .toList()));
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f", share * 100).replaceFirst("\\.0$", "");
  }

  private void rules(PrintStream out, List<ServiceEffect.RuleChange> rules) {
    Map<String, List<String>> nodes = new LinkedHashMap<>();
    for (ServiceEffect.RuleChange change : rules) {
      nodes
          .computeIfAbsent(
              context.text(
                  "simulate.rules", change.added().size(), change.removed().size(), change.mode()),
              _ -> new ArrayList<>())
          .add(change.node());
    }
    nodes.forEach((text, names) -> row(out, "simulate.row.rules", text + ": " + listed(names)));
    if (wide) {
      for (ServiceEffect.RuleChange change : rules) {
        change.removed().forEach(rule -> out.println("    " + change.node() + " - " + rule));
        change.added().forEach(rule -> out.println("    " + change.node() + " + " + rule));
      }
    }
  }

  /// At most five of each code; the rest is counted.
  private void findings(PrintStream out, List<Finding> findings) {
    Map<FindingCode, Integer> shown = new LinkedHashMap<>();
    for (Finding finding : findings) {
      int number = shown.merge(finding.code(), 1, Integer::sum);
      if (number <= LISTED) {
        String subject =
            finding.subject().kind() == Subject.Kind.POD ? finding.subject().name() + ": " : "";
        out.println(
            "  "
                + context
                    .terminal()
                    .mark(finding.severity() == Severity.FAULT ? Mark.BAD : Mark.WARNING)
                + " "
                + subject
                + texts.text(finding.sentence())
                + "   "
                + finding.code());
      }
    }
    shown.forEach(
        (code, count) -> {
          if (count > LISTED) {
            out.println("    " + context.text("simulate.more", count - LISTED, code));
          }
        });
  }
}
