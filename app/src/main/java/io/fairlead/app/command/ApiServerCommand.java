package io.fairlead.app.command;

import io.fairlead.app.ComponentFactory;
import io.fairlead.app.Options;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.logging.Logging;
import java.util.Optional;

/// `fairlead apiserver`: the API server alone, in the place of a kube-apiserver.
public final class ApiServerCommand implements Command {
  private final ComponentFactory assembly;

  public ApiServerCommand(ComponentFactory assembly) {
    this.assembly = assembly;
  }

  @Override
  public int run(Arguments arguments, CommandContext context) {
    DataDirectory directory = DataDirectories.of(arguments, context);
    Options options = new ServerOptionReader(arguments, directory).forApiServer();
    Logging.to(context.terminal().err(), arguments.text("logging-format"), arguments.number("v"));
    IgnoredFlagWarnings.log(arguments, context);
    return new Foreground(context, assembly)
        .run(options, Optional.empty(), new Display(context), url -> {});
  }
}
