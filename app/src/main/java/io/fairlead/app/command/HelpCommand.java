package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Exit;
import io.fairlead.app.cli.Grammar;
import io.fairlead.app.cli.Help;
import io.fairlead.app.cli.Problem;

/// `fairlead help`, `fairlead help up`, `fairlead help FL202`: all of it works offline.
public final class HelpCommand implements Command {
  @Override
  public int run(Arguments arguments, Context context) {
    Help help = new Help(context.messages(), context.program());
    String page =
        arguments.operands().isEmpty()
            ? help.overview()
            : topic(help, arguments.operands().getFirst());
    context.terminal().out().print(page);
    return Exit.FINE;
  }

  private static String topic(Help help, String topic) {
    return Code.parse(topic)
        .map(help::code)
        .or(() -> Grammar.verb(topic).map(help::verb))
        .orElseThrow(() -> new Problem(Code.FL306, topic));
  }
}
