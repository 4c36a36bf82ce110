package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Grammar;
import io.fairlead.app.cli.Help;
import io.fairlead.app.text.Language;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.SentenceCatalog;

/// `fairlead help`, `fairlead help up`, `fairlead help FL202`: all of it works offline.
public final class HelpCommand implements Command {
  @Override
  public int run(Arguments arguments, CommandContext context) {
    Help help = new Help(context.messages(), context.program());
    String page =
        arguments.operands().isEmpty()
            ? help.overview()
            : topic(help, arguments.operands().getFirst(), context);
    context.terminal().out().print(page);
    return ExitCode.FINE;
  }

  private static String topic(Help help, String topic, CommandContext context) {
    return ErrorCode.parse(topic)
        .map(help::code)
        .or(() -> FindingCode.parse(topic).map(code -> finding(code, context)))
        .or(() -> Grammar.verb(topic).map(help::verb))
        .orElseThrow(() -> new FairleadException(ErrorCode.FL306, topic));
  }

  /// The page of a finding: what it says, what it means, what to do.
  private static String finding(FindingCode code, CommandContext context) {
    SentenceCatalog texts =
        Language.of(context.environment()) == Language.ZH_CN
            ? SentenceCatalog.chinese()
            : SentenceCatalog.english();
    String next = texts.raw(code + ".next");
    return code
        + ": "
        + texts.raw(code.name())
        + "\n\n"
        + texts.raw(code + ".help")
        + "\n"
        + (next.isEmpty() ? "" : texts.text(Sentence.of("verdict.next", "next", next)) + "\n");
  }
}
