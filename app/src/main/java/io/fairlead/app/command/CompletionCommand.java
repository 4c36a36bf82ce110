package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.Completion;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;

/// `fairlead completion bash|zsh|fish`.
public final class CompletionCommand implements Command {
  @Override
  public int run(Arguments arguments, CommandContext context) {
    if (arguments.operands().isEmpty()) {
      throw new FairleadException(ErrorCode.FL308, "completion", "bash, zsh, fish");
    }
    context.terminal().out().print(Completion.script(arguments.operands().getFirst()));
    return ExitCode.FINE;
  }
}
