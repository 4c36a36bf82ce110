package io.fairlead.app.command;

import io.fairlead.app.Assembly;
import io.fairlead.app.Options;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.Context;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.logging.Logging;
import java.util.Optional;

/// `fairlead apiserver`: the API server alone, in the place of a kube-apiserver.
public final class ApiServerCommand implements Command {
  private final Assembly assembly;

  public ApiServerCommand(Assembly assembly) {
    this.assembly = assembly;
  }

  @Override
  public int run(Arguments arguments, Context context) {
    DataDirectory directory = DataDirectories.of(arguments, context);
    Options options = new OptionReader(arguments, directory).forApiServer();
    Logging.to(context.terminal().err(), arguments.text("logging-format"), arguments.number("v"));
    return new Foreground(context, assembly)
        .run(options, Optional.empty(), new Display(context), url -> {});
  }
}
