package io.fairlead.app.command;

import io.fairlead.app.BindErrors;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.controllers.ControllersOptionReader;
import io.fairlead.app.controllers.ControllersOptions;
import io.fairlead.app.controllers.ControllersProcess;
import io.fairlead.app.logging.Logging;
import io.fairlead.work.Tasks;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `fairlead controllers`: the controllers alone, in the place of a kube-controller-manager,
/// against any Kubernetes API.
public final class ControllersCommand implements Command {
  private static final Logger log = LoggerFactory.getLogger(ControllersCommand.class);

  @Override
  public int run(Arguments arguments, CommandContext context) {
    ControllersOptions options =
        new ControllersOptionReader(arguments, context.environment()).read();
    Logging.to(context.terminal().err(), arguments.text("logging-format"), arguments.number("v"));
    IgnoredFlagWarnings.log(arguments, context);
    BindErrors.check(
        options.serving().address(), options.serving().port(), ControllersProcess.PORT_FLAG);
    ControllersProcess process;
    try {
      process = ControllersProcess.start(options);
    } catch (FairleadException e) {
      log.atError().setCause(e.getCause()).log(e.render(context.messages()).strip());
      throw e;
    }
    Tasks.atExit(
        "shutdown",
        () -> {
          log.atInfo().log("stopping");
          process.close();
          log.atInfo().log("stopped");
          Runtime.getRuntime().halt(ExitCode.FINE);
        });
    String url = "https://" + options.serving().address() + ":" + process.port();
    log.atInfo().addKeyValue("url", url).log("ready");
    SystemdNotifier.ready(context.environment(), url);
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.close();
    }
    return ExitCode.FINE;
  }
}
