package io.fairlead.app.command;

import io.fairlead.app.Assembly;
import io.fairlead.app.Options;
import io.fairlead.app.Step;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Exit;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.instance.Contexts;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.logging.Logging;
import io.fairlead.app.text.Phrase;
import io.fairlead.server.ApiServer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `fairlead up`: everything on this machine, ready when it returns.
public final class UpCommand implements Command {
  private final Assembly assembly;

  public UpCommand(Assembly assembly) {
    this.assembly = assembly;
  }

  @Override
  public int run(Arguments arguments, Context context) {
    DataDirectory directory = DataDirectories.of(arguments, context);
    boolean background = "true".equals(context.properties().get("fairlead.background"));
    if (background) {
      ApiServer.preload();
    }
    if (arguments.on("lab")) {
      if (background) {
        Lab.prepare();
      } else if (arguments.on("foreground")) {
        throw new Problem(
            Code.FL305, "--lab", "--foreground", Phrase.of("FL305.lab"), arguments.verb().name());
      } else {
        Lab.check(context);
      }
    }
    Options options = new OptionReader(arguments, directory).forUp();
    Path kubeconfig =
        arguments.path("kubeconfig").orElseGet(() -> Contexts.standardFile(context.environment()));
    if (!arguments.on("foreground")) {
      return inBackground(arguments, context, options, kubeconfig);
    }
    Logging.to(context.terminal().err(), arguments.text("logging-format"), arguments.number("v"));
    return background
        ? asBackground(context, options, kubeconfig)
        : inForeground(context, options, kubeconfig);
  }

  private int inForeground(Context context, Options options, Path kubeconfig) {
    Display display = new Display(context);
    return new Foreground(context, assembly)
        .run(
            options,
            Optional.of(kubeconfig),
            display,
            url ->
                context
                    .terminal()
                    .err()
                    .println(context.text("up.foreground", display.total(), Contexts.NAME)));
  }

  /// This is the background process: it reports to the one in front through its standard output,
  /// and lets go of that when it is ready.
  private int asBackground(Context context, Options options, Path kubeconfig) {
    Pipe pipe = new Pipe(context.terminal().out());
    try {
      return new Foreground(context, assembly)
          .run(
              options,
              Optional.of(kubeconfig),
              pipe,
              url -> {
                pipe.ready();
                closeStandardOutput();
              });
    } catch (Problem problem) {
      pipe.failed(problem.code().exit(), problem.render(context.messages()));
      return problem.code().exit();
    }
  }

  private static int inBackground(
      Arguments arguments, Context context, Options options, Path kubeconfig) {
    Display display = new Display(context);
    display.began(Step.PREFLIGHT);
    DataDirectory directory = new DataDirectory(options.dataDirectory());
    List<String> command =
        Launch.command(
            arguments,
            context,
            options.hasNode(),
            Map.of("data-dir", directory.root().toString(), "kubeconfig", kubeconfig.toString()));
    Preflight.check(options, Optional.of(kubeconfig), !arguments.on("lab"));
    Lab.mark(directory, arguments.on("lab"));
    display.finished(Step.PREFLIGHT, "");
    int exit =
        new Background(context, directory, display).run(command, arguments.seconds("timeout"));
    if (exit == Exit.FINE) {
      sayReady(arguments, context, options, display);
    }
    return exit;
  }

  private static void sayReady(
      Arguments arguments, Context context, Options options, Display display) {
    String sudo = context.environment().containsKey("SUDO_USER") ? "sudo " : "";
    String stop = sudo + context.program() + " down" + DataDirectories.repeated(arguments);
    context.terminal().err().println(context.text("up.ready", display.total(), Contexts.NAME));
    boolean services = options.agent().isPresent() && options.proxy().isPresent();
    String shell = context.program() + " shell" + DataDirectories.repeated(arguments);
    context
        .terminal()
        .err()
        .println(
            arguments.on("lab")
                ? context.text("up.next.lab", stop, shell)
                : context.text(services ? "up.next.services" : "up.next", stop));
  }

  private static void closeStandardOutput() {
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
