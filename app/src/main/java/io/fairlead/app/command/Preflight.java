package io.fairlead.app.command;

import io.fairlead.app.BindErrors;
import io.fairlead.app.Options;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.hoststate.NodeLock;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceLock;
import io.fairlead.app.instance.ProcessFacts;
import io.fairlead.app.instance.UserKubeconfigContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Looks at everything that could keep an instance from starting, before anything is changed. Only
/// when all is well it makes the data directory.
final class Preflight {
  private Preflight() {}

  /// @param kubeconfig the file that will get the context; one that cannot be read is refused now
  static void check(Options options, Optional<Path> kubeconfig) {
    check(options, kubeconfig, true);
  }

  /// @param here whether the instance will run in the network of this process; another is looked at
  ///   from inside
  static void check(Options options, Optional<Path> kubeconfig, boolean here) {
    DataDirectory directory = new DataDirectory(options.dataDirectory());
    // Before the port: a second start on one directory finds its own port taken as well.
    if (Files.exists(directory.lock())) {
      InstanceLock.take(directory).close();
    }
    if (here) {
      if (options.hasNode()) {
        requireRights(ProcessFacts.mayBeNode());
        NodeLock.take(directory).close();
      }
      BindErrors.check(options.server().bindAddress(), options.server().securePort());
    }
    kubeconfig.ifPresent(UserKubeconfigContext::pointsAt);
    kubeconfig
        .filter(file -> !file.startsWith(directory.root()))
        .ifPresent(UserKubeconfigContext::requireWritable);
    directory.prepare();
  }

  /// Refuses `--cleanup` of a component to a user who could take nothing away: what cannot be seen
  /// would pass for what is not there.
  ///
  /// @param may whether this process has the rights that it takes
  static void requireCleanupRights(boolean may, Arguments arguments) {
    if (!may) {
      throw new FairleadException(ErrorCode.FL230, arguments.verb().name());
    }
  }

  static void requireRights(boolean mayBeNode) {
    if (!mayBeNode) {
      throw new FairleadException(ErrorCode.FL226);
    }
  }
}
