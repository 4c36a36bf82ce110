package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadVersion;

/// `fairlead version`: which Fairlead, which Kubernetes behaviour, which Java.
public final class VersionCommand implements Command {
  @Override
  public int run(Arguments arguments, CommandContext context) {
    String java = Runtime.version().toString();
    if (arguments.find("output").isPresent()) {
      context
          .terminal()
          .out()
          .print(
              new OutputDocument("Version")
                  .put("version", FairleadVersion.current())
                  .put("kubernetesVersion", FairleadVersion.KUBERNETES)
                  .put("javaVersion", java)
                  .render(arguments.text("output")));
    } else {
      context
          .terminal()
          .out()
          .println(
              "Fairlead "
                  + FairleadVersion.current()
                  + ", Kubernetes "
                  + FairleadVersion.KUBERNETES
                  + ", Java "
                  + java);
    }
    return ExitCode.FINE;
  }
}
