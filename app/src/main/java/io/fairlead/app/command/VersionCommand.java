package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Exit;
import io.fairlead.app.cli.Version;

/// `fairlead version`: which Fairlead, which Kubernetes behaviour, which Java.
public final class VersionCommand implements Command {
  @Override
  public int run(Arguments arguments, Context context) {
    String java = Runtime.version().toString();
    if (arguments.find("output").isPresent()) {
      context
          .terminal()
          .out()
          .print(
              new Document("Version")
                  .put("version", Version.current())
                  .put("kubernetesVersion", Version.KUBERNETES)
                  .put("javaVersion", java)
                  .render(arguments.text("output")));
    } else {
      context
          .terminal()
          .out()
          .println(
              "Fairlead "
                  + Version.current()
                  + ", Kubernetes "
                  + Version.KUBERNETES
                  + ", Java "
                  + java);
    }
    return Exit.FINE;
  }
}
