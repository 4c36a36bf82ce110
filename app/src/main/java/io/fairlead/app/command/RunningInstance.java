package io.fairlead.app.command;

import io.fairlead.app.ComponentFactory;
import io.fairlead.app.Fairlead;
import io.fairlead.app.Options;
import io.fairlead.app.Progress;
import io.fairlead.app.StartupStep;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.hoststate.NodeCleanup;
import io.fairlead.app.hoststate.NodeLock;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceLock;
import io.fairlead.app.instance.InstanceRecord;
import io.fairlead.app.instance.InstanceRecord.Phase;
import io.fairlead.app.instance.ProcessFacts;
import io.fairlead.app.instance.UserKubeconfigContext;
import io.fairlead.client.kubeconfig.KubeconfigEntry;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// This process as an instance: it holds the lock of its data directory, writes down what it is,
/// runs the parts, gives the user a context, and on the way out leaves a record of what `down`
/// still has to undo.
///
/// Made by the main thread; closed by it or by the shutdown hook.
final class RunningInstance implements AutoCloseable {
  private final Claims claims;
  private final DataDirectory directory;
  private final Fairlead fairlead;
  private final InstanceRecord record;

  /// What belongs to this process while it runs.
  ///
  /// @param node empty when no part changes the network of this machine
  private record Claims(InstanceLock lock, Optional<NodeLock> node) implements AutoCloseable {
    static Claims take(DataDirectory directory, boolean node) {
      InstanceLock lock = InstanceLock.take(directory);
      try {
        return new Claims(lock, node ? Optional.of(NodeLock.take(directory)) : Optional.empty());
      } catch (RuntimeException e) {
        lock.close();
        throw e;
      }
    }

    @Override
    public void close() {
      node.ifPresent(NodeLock::close);
      lock.close();
    }
  }

  private RunningInstance(
      Claims claims, DataDirectory directory, Fairlead fairlead, InstanceRecord record) {
    this.claims = claims;
    this.directory = directory;
    this.fairlead = fairlead;
    this.record = record;
  }

  /// @param kubeconfig the file that gets the context; empty for none
  static RunningInstance start(
      Options options,
      Optional<Path> kubeconfig,
      ComponentFactory assembly,
      Progress progress,
      CommandContext context) {
    progress.began(StartupStep.PREFLIGHT);
    DataDirectory directory = new DataDirectory(options.dataDirectory());
    // The process in front of this one has read the file already.
    boolean seen = "true".equals(context.properties().get("fairlead.background"));
    Preflight.check(options, seen ? Optional.empty() : kubeconfig);
    Claims claims = Claims.take(directory, options.hasNode());
    try {
      progress.finished(StartupStep.PREFLIGHT, "");
      return started(options, kubeconfig, assembly, progress, context, claims);
    } catch (RuntimeException | Error e) {
      claims.close();
      throw e;
    }
  }

  private static RunningInstance started(
      Options options,
      Optional<Path> kubeconfig,
      ComponentFactory assembly,
      Progress progress,
      CommandContext context,
      Claims claims) {
    DataDirectory directory = new DataDirectory(options.dataDirectory());
    InstanceRecord record = record(options, kubeconfig, context);
    record.write(directory);
    NodeCleanup traces = new NodeCleanup(directory);
    // Reading the whole state of the network takes a while, in which the API can start.
    FutureTask<Boolean> first =
        new FutureTask<>(() -> options.hasNode() && traces.remember(options.proxy().isPresent()));
    Tasks.startPlatform("footprint", first::run);
    Fairlead fairlead;
    try {
      fairlead = Fairlead.start(options, assembly, progress, () -> await(first));
    } catch (RuntimeException | Error e) {
      // What an earlier process left, pods that outlived it among it, is not this one's to undo.
      if (isFirst(first)) {
        traces.undo();
      }
      record.at(Phase.STOPPED).write(directory);
      throw e;
    }
    InstanceRecord ready = record.listening(fairlead.port());
    RunningInstance serving = new RunningInstance(claims, directory, fairlead, ready);
    try {
      kubeconfig.ifPresent(file -> giveContext(file, ready, directory, context));
      ready.write(directory);
      return serving;
    } catch (RuntimeException | Error e) {
      serving.close();
      throw e;
    }
  }

  private static boolean await(FutureTask<Boolean> task) {
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the network was looked at", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("the network could not be looked at", e.getCause());
    }
  }

  private static boolean isFirst(FutureTask<Boolean> first) {
    try {
      return await(first);
    } catch (RuntimeException e) {
      // Without a record nothing was changed.
      return false;
    }
  }

  private static InstanceRecord record(
      Options options, Optional<Path> kubeconfig, CommandContext context) {
    long pid = ProcessHandle.current().pid();
    return new InstanceRecord(
        Phase.STARTING,
        pid,
        ProcessFacts.startTicks(pid).orElse(0),
        context.clock().instant(),
        options.server().bindAddress(),
        options.server().securePort(),
        kubeconfig.map(Path::toString).orElse(""),
        kubeconfig.isPresent() ? UserKubeconfigContext.NAME : "");
  }

  private static void giveContext(
      Path file, InstanceRecord instance, DataDirectory directory, CommandContext context) {
    try {
      UserKubeconfigContext.write(
          file,
          KubeconfigEntry.ofAdministrator(
              UserKubeconfigContext.NAME, URI.create(instance.url()), directory.pki()),
          context.environment());
    } catch (IOException e) {
      throw new FairleadException(ErrorCode.FL209, e, file, String.valueOf(e.getMessage()));
    }
  }

  String url() {
    return record.url();
  }

  /// What the proxy knows, for people.
  String dump() {
    return fairlead.dump();
  }

  void reload() {
    fairlead.reload();
  }

  /// Stops the parts and lets go of the directory.
  @Override
  public void close() {
    fairlead.close();
    record.at(Phase.STOPPED).write(directory);
    claims.close();
  }
}
