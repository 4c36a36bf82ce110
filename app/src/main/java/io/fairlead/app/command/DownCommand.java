package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.app.hoststate.FixedSysctls;
import io.fairlead.app.hoststate.NodeCleanup;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceLock;
import io.fairlead.app.instance.InstanceRecord;
import io.fairlead.app.instance.Ports;
import io.fairlead.app.instance.UserKubeconfigContext;
import io.fairlead.app.logging.Logging;
import io.fairlead.kernel.syscall.SystemCallException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/// `fairlead down`: stops the instance of a data directory, undoes what it set outside of it, and
/// looks again whether all of it is gone.
public final class DownCommand implements Command {
  private static final int MOST_LINES = 20;

  @Override
  public int run(Arguments arguments, CommandContext context) {
    // What the parts note while they take things away is not what was asked.
    Logging.off();
    DataDirectory directory = DataDirectories.open(arguments, context);
    Optional<InstanceRecord> record = InstanceRecord.read(directory);
    if (record.isEmpty() && !held(directory)) {
      say(context, Mark.NOTHING, context.text("down.nothing", directory.root()));
      if (!removeNode(directory, context)) {
        return ExitCode.FAULT_FOUND;
      }
      restoreSettings(directory, context);
      purge(arguments, context, directory);
      DataDirectories.hintAtRoot(arguments, context);
      return ExitCode.FINE;
    }
    InstanceRecord instance =
        record.orElseThrow(
            () ->
                new FairleadException(
                    ErrorCode.FL214, directory.lock() + ": no " + directory.record()));
    stop(instance, directory, arguments.seconds("timeout"), context);
    if (!afterStop(instance, directory, context)) {
      return ExitCode.FAULT_FOUND;
    }
    restoreSettings(directory, context);
    if (!purge(arguments, context, directory)) {
      say(context, Mark.GOOD, context.text("down.kept", directory.root()));
    }
    return ExitCode.FINE;
  }

  /// Does for an instance whose process has died what would have been done for a running one.
  ///
  /// @return whether nothing of it is left
  static boolean cleanUp(InstanceRecord died, DataDirectory directory, CommandContext context) {
    if (held(directory)) {
      // Another one has started meanwhile.
      return true;
    }
    return afterStop(died, directory, context);
  }

  private static boolean afterStop(
      InstanceRecord instance, DataDirectory directory, CommandContext context) {
    boolean clean = leave(instance, directory, context);
    removeContext(instance, context);
    if (clean) {
      delete(directory.record());
    }
    return clean;
  }

  /// Takes away what the instance had of the machine. A lab took its whole network with it.
  private static boolean leave(
      InstanceRecord instance, DataDirectory directory, CommandContext context) {
    if (Files.exists(directory.lab())) {
      new NodeCleanup(directory).forget();
      Lab.mark(directory, false);
      say(context, Mark.GOOD, context.text("down.lab"));
      return true;
    }
    portClosed(instance, context);
    return removeNode(directory, context);
  }

  private static boolean held(DataDirectory directory) {
    if (!Files.exists(directory.lock())) {
      return false;
    }
    Optional<InstanceLock> lock = InstanceLock.tryTake(directory);
    lock.ifPresent(InstanceLock::close);
    return lock.isEmpty();
  }

  private static void stop(
      InstanceRecord instance, DataDirectory directory, Duration patience, CommandContext context) {
    Optional<ProcessHandle> process = instance.process();
    if (process.isEmpty()) {
      boolean clean = instance.phase() == InstanceRecord.Phase.STOPPED;
      say(
          context,
          Mark.GOOD,
          clean ? context.text("down.stopped") : context.text("down.stale", instance.pid()));
      return;
    }
    boolean _ =
        SlowStepNotice.during(
            context,
            "down.waiting.stop",
            () -> {
              end(process.get(), directory, patience);
              return true;
            });
    if (instance.process().isPresent()) {
      throw new FairleadException(ErrorCode.FL214, "pid " + instance.pid());
    }
    say(context, Mark.GOOD, context.text("down.stopped"));
  }

  static void end(ProcessHandle process, DataDirectory directory, Duration patience) {
    if (!process.destroy() && process.isAlive()) {
      throw new FairleadException(
          ErrorCode.FL213, process.pid(), process.info().user().orElse("?"), directory.root());
    }
    try {
      process.onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new FairleadException(
          ErrorCode.FL208, process.pid(), patience.toSeconds(), directory.log());
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void portClosed(InstanceRecord instance, CommandContext context) {
    if (instance.port() == 0) {
      return;
    }
    String address = instance.address().equals("0.0.0.0") ? "127.0.0.1" : instance.address();
    if (Ports.answers(address, instance.port())
        && Ports.holder(instance.port())
            .map(who -> who.contains("pid " + instance.pid() + ")"))
            .orElse(false)) {
      throw new FairleadException(ErrorCode.FL214, address + ":" + instance.port());
    }
    say(context, Mark.GOOD, context.text("down.port", instance.port()));
  }

  /// Takes away what the node set in the kernel, and proves it. False when something is left.
  private static boolean removeNode(DataDirectory directory, CommandContext context) {
    NodeCleanup traces = new NodeCleanup(directory);
    Optional<String> elsewhere = traces.elsewhere();
    if (elsewhere.isPresent()) {
      say(context, Mark.BAD, context.text("down.elsewhere", elsewhere.get()));
      return false;
    }
    try {
      Optional<NodeCleanup.Outcome> outcome =
          SlowStepNotice.during(context, "down.waiting.rules", traces::undo);
      outcome.ifPresent(each -> sayProof(each, context));
      return outcome.map(each -> each.left().isEmpty()).orElse(true);
    } catch (SystemCallException e) {
      throw new FairleadException(ErrorCode.FL214, e, String.valueOf(e.getMessage()));
    }
  }

  /// What `doctor --fix` set is older than the node, so it is put back after the proof.
  private static void restoreSettings(DataDirectory directory, CommandContext context) {
    try {
      List<String> restored = new FixedSysctls(directory).undo();
      if (!restored.isEmpty()) {
        say(context, Mark.GOOD, context.text("down.settings", String.join(", ", restored)));
      }
    } catch (IOException e) {
      throw new FairleadException(ErrorCode.FL214, e, String.valueOf(e.getMessage()));
    }
  }

  private static void sayProof(NodeCleanup.Outcome outcome, CommandContext context) {
    if (!outcome.left().isEmpty()) {
      say(context, Mark.BAD, context.text("down.left"));
      outcome.left().stream().limit(MOST_LINES).forEach(context.terminal().err()::println);
      return;
    }
    say(context, Mark.GOOD, context.text("down.rules"));
    if (outcome.foreign().isEmpty()) {
      say(context, Mark.GOOD, context.text("down.equal"));
      return;
    }
    say(context, Mark.WARNING, context.text("down.foreign", outcome.foreign().size()));
    outcome.foreign().stream().limit(MOST_LINES).forEach(context.terminal().err()::println);
  }

  private static void removeContext(InstanceRecord instance, CommandContext context) {
    if (instance.kubeconfig().isEmpty()) {
      return;
    }
    Path file = Path.of(instance.kubeconfig());
    switch (UserKubeconfigContext.remove(file, instance.url(), context.environment())) {
      case REMOVED ->
          say(context, Mark.GOOD, context.text("down.kubeconfig", instance.context(), file));
      case FOREIGN ->
          say(
              context,
              Mark.NOTHING,
              context.text("down.kubeconfig.kept", instance.context(), file));
      case NOTHING -> {}
    }
  }

  private static boolean purge(
      Arguments arguments, CommandContext context, DataDirectory directory) {
    if (!arguments.on("purge") || !Files.exists(directory.root())) {
      return false;
    }
    // Only what looks like ours is deleted: --data-dir may be a slip of the hand.
    if (Files.exists(directory.lock())) {
      try (Stream<Path> below = Files.walk(directory.root())) {
        List<Path> deepestFirst = below.sorted(Comparator.reverseOrder()).toList();
        deepestFirst.forEach(DownCommand::delete);
      } catch (IOException e) {
        throw new FairleadException(ErrorCode.FL214, e, directory.root());
      }
    } else {
      throw new FairleadException(ErrorCode.FL214, directory.root());
    }
    say(context, Mark.GOOD, context.text("down.purged", directory.root()));
    return true;
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new FairleadException(ErrorCode.FL214, e, path);
    }
  }

  private static void say(CommandContext context, Mark mark, String text) {
    context.terminal().err().println(" " + context.terminal().markErr(mark) + " " + text);
  }
}
