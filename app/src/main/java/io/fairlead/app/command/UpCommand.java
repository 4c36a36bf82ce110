package io.fairlead.app.command;

import io.fairlead.app.ComponentFactory;
import io.fairlead.app.Options;
import io.fairlead.app.StartupStep;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.UserKubeconfigContext;
import io.fairlead.app.logging.Logging;
import io.fairlead.app.text.Phrase;
import io.fairlead.server.ApiServer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// `fairlead up`: everything on this machine, ready when it returns.
public final class UpCommand implements Command {
  private final ComponentFactory assembly;

  public UpCommand(ComponentFactory assembly) {
    this.assembly = assembly;
  }

  @Override
  public int run(Arguments arguments, CommandContext context) {
    DataDirectory directory = DataDirectories.of(arguments, context);
    boolean background = "true".equals(context.properties().get("fairlead.background"));
    if (background) {
      ApiServer.preload();
    }
    if (arguments.on("lab")) {
      if (background) {
        Lab.prepare();
      } else if (arguments.on("foreground")) {
        throw new FairleadException(
            ErrorCode.FL305,
            "--lab",
            "--foreground",
            Phrase.of("FL305.lab"),
            arguments.verb().name());
      } else {
        Lab.check(context);
      }
    }
    Options options = new ServerOptionReader(arguments, directory).forUp();
    Path kubeconfig =
        arguments
            .path("kubeconfig")
            .orElseGet(() -> standardKubeconfig(arguments, directory, context));
    if (!arguments.on("foreground")) {
      return inBackground(arguments, context, options, kubeconfig);
    }
    Logging.to(context.terminal().err(), arguments.text("logging-format"), arguments.number("v"));
    if (options.agent().isPresent()) {
      Logging.components(directory.componentLogs(), arguments.text("logging-format"));
    }
    return background
        ? asBackground(context, options, kubeconfig)
        : inForeground(context, options, kubeconfig);
  }

  /// The user's own file, or for a lab one beside its data: outside the lab its address would lead
  /// nowhere.
  private static Path standardKubeconfig(
      Arguments arguments, DataDirectory directory, CommandContext context) {
    return arguments.on("lab")
        ? directory.root().resolve("kubeconfig")
        : UserKubeconfigContext.standardFile(context.environment());
  }

  private int inForeground(CommandContext context, Options options, Path kubeconfig) {
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
                    .println(
                        context.text(
                            "up.foreground", display.total(), UserKubeconfigContext.NAME)));
  }

  /// This is the background process: it reports to the one in front through its standard output,
  /// and lets go of that when it is ready.
  private int asBackground(CommandContext context, Options options, Path kubeconfig) {
    StartupPipe pipe = new StartupPipe(context.terminal().out());
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
    } catch (FairleadException problem) {
      pipe.failed(problem.code().exit(), problem.render(context.messages()));
      return problem.code().exit();
    }
  }

  private static int inBackground(
      Arguments arguments, CommandContext context, Options options, Path kubeconfig) {
    Display display = new Display(context);
    display.began(StartupStep.PREFLIGHT);
    DataDirectory directory = new DataDirectory(options.dataDirectory());
    List<String> command =
        Launch.command(
            arguments,
            context,
            directory.jvmFlags(),
            Map.of("data-dir", directory.root().toString(), "kubeconfig", kubeconfig.toString()));
    Preflight.check(options, Optional.of(kubeconfig), !arguments.on("lab"));
    Lab.mark(directory, arguments.on("lab"));
    writeFlags(directory.jvmFlags(), Launch.flags(context, options.hasNode()));
    display.finished(StartupStep.PREFLIGHT, "");
    int exit =
        new Background(context, directory, display).run(command, arguments.seconds("timeout"));
    if (exit == ExitCode.FINE) {
      sayReady(arguments, context, options, display);
    }
    return exit;
  }

  private static void writeFlags(Path file, String flags) {
    try {
      Files.writeString(file, flags);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void sayReady(
      Arguments arguments, CommandContext context, Options options, Display display) {
    String sudo = context.environment().containsKey("SUDO_USER") ? "sudo " : "";
    String stop = sudo + context.program() + " down" + DataDirectories.repeated(arguments);
    context
        .terminal()
        .err()
        .println(
            arguments.on("lab")
                ? context.text("up.ready.lab", display.total())
                : context.text("up.ready", display.total(), UserKubeconfigContext.NAME));
    boolean services = options.agent().isPresent() && options.proxy().isPresent();
    String apply =
        ExampleAddresses.apply("examples/hostnames.yaml", options.server().services().cidrs());
    String shell = context.program() + " shell" + DataDirectories.repeated(arguments);
    context
        .terminal()
        .err()
        .println(
            arguments.on("lab")
                ? context.text("up.next.lab", stop, shell, apply)
                : services
                    ? context.text("up.next.services", stop, apply)
                    : context.text("up.next", stop));
  }

  private static void closeStandardOutput() {
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
