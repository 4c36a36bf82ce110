package io.fairlead.app.command;

import io.fairlead.app.Assembly;
import io.fairlead.app.Fairlead;
import io.fairlead.app.Options;
import io.fairlead.app.Progress;
import io.fairlead.app.Step;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.instance.Contexts;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceLock;
import io.fairlead.app.instance.InstanceRecord;
import io.fairlead.app.instance.InstanceRecord.Phase;
import io.fairlead.app.instance.ProcessFacts;
import io.fairlead.client.kubeconfig.KubeconfigEntry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// This process as an instance: it holds the lock of its data directory, writes down what it is,
/// runs the parts, gives the user a context, and on the way out leaves a record of what `down`
/// still has to undo.
///
/// Made by the main thread; closed by it or by the shutdown hook.
final class Serving implements AutoCloseable {
  private final InstanceLock lock;
  private final DataDirectory directory;
  private final Fairlead fairlead;
  private final InstanceRecord record;

  private Serving(
      InstanceLock lock, DataDirectory directory, Fairlead fairlead, InstanceRecord record) {
    this.lock = lock;
    this.directory = directory;
    this.fairlead = fairlead;
    this.record = record;
  }

  /// @param kubeconfig the file that gets the context; empty for none
  static Serving start(
      Options options,
      Optional<Path> kubeconfig,
      Assembly assembly,
      Progress progress,
      Context context) {
    progress.began(Step.PREFLIGHT);
    DataDirectory directory = new DataDirectory(options.dataDirectory());
    Preflight.check(options, kubeconfig);
    InstanceLock lock = InstanceLock.take(directory);
    try {
      progress.finished(Step.PREFLIGHT, "");
      return started(options, kubeconfig, assembly, progress, context, lock);
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  private static Serving started(
      Options options,
      Optional<Path> kubeconfig,
      Assembly assembly,
      Progress progress,
      Context context,
      InstanceLock lock) {
    DataDirectory directory = new DataDirectory(options.dataDirectory());
    InstanceRecord record = record(options, kubeconfig, context);
    record.write(directory);
    Fairlead fairlead;
    try {
      fairlead = Fairlead.start(options, assembly, progress);
    } catch (RuntimeException | Error e) {
      record.at(Phase.STOPPED).write(directory);
      throw e;
    }
    InstanceRecord ready = record.listening(fairlead.port());
    Serving serving = new Serving(lock, directory, fairlead, ready);
    try {
      kubeconfig.ifPresent(file -> giveContext(file, ready, directory, context));
      ready.write(directory);
      return serving;
    } catch (RuntimeException | Error e) {
      serving.close();
      throw e;
    }
  }

  private static InstanceRecord record(
      Options options, Optional<Path> kubeconfig, Context context) {
    long pid = ProcessHandle.current().pid();
    return new InstanceRecord(
        Phase.STARTING,
        pid,
        ProcessFacts.startTicks(pid).orElse(0),
        context.clock().instant(),
        options.server().bindAddress(),
        options.server().securePort(),
        kubeconfig.map(Path::toString).orElse(""),
        kubeconfig.isPresent() ? Contexts.NAME : "");
  }

  private static void giveContext(
      Path file, InstanceRecord instance, DataDirectory directory, Context context) {
    try {
      Contexts.write(
          file,
          new KubeconfigEntry(
              Contexts.NAME,
              URI.create(instance.url()),
              Files.readString(directory.pki().resolve("ca.crt")),
              Files.readString(directory.pki().resolve("admin.crt")),
              Files.readString(directory.pki().resolve("admin.key"))),
          context.environment());
    } catch (IOException e) {
      throw new Problem(Code.FL209, e, file, String.valueOf(e.getMessage()));
    }
  }

  String url() {
    return record.url();
  }

  void reload() {
    fairlead.reload();
  }

  /// Stops the parts and lets go of the directory.
  @Override
  public void close() {
    fairlead.close();
    record.at(Phase.STOPPED).write(directory);
    lock.close();
  }
}
