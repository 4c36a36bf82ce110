package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.Completion;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Exit;
import io.fairlead.app.cli.Problem;

/// `fairlead completion bash|zsh|fish`.
public final class CompletionCommand implements Command {
  @Override
  public int run(Arguments arguments, Context context) {
    if (arguments.operands().isEmpty()) {
      throw new Problem(Code.FL308, "completion", "bash, zsh, fish");
    }
    context.terminal().out().print(Completion.script(arguments.operands().getFirst()));
    return Exit.FINE;
  }
}
