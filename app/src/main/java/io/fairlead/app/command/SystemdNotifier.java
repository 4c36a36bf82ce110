package io.fairlead.app.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells systemd (`Type=notify`, `NotifyAccess=all`) that the service is ready. Java has no Unix
/// datagram sockets, so systemd's own program carries the message.
final class SystemdNotifier {
  private static final Logger log = LoggerFactory.getLogger(SystemdNotifier.class);

  private SystemdNotifier() {}

  /// Does nothing when this process was not started by systemd.
  static void ready(Map<String, String> environment, String url) {
    Optional<Path> notify = Programs.find("systemd-notify", environment);
    if (environment.getOrDefault("NOTIFY_SOCKET", "").isEmpty() || notify.isEmpty()) {
      return;
    }
    try {
      new ProcessBuilder(
              notify.get().toString(),
              "--ready",
              "--pid=" + ProcessHandle.current().pid(),
              "--status=API at " + url)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      log.atWarn().setCause(e).log("cannot tell systemd that the service is ready");
    }
  }
}
