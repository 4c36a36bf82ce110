package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fairlead.e2e.Repository;
import io.fairlead.e2e.kubectl.Kubectl;
import io.fairlead.e2e.up.IsolatedMachine;
import io.fairlead.e2e.up.OrdinaryUser;
import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Where a document is typed: a machine of its own, as far as commands can tell, with a `/run` and
/// a `/var/lib` of its own, and on it a directory that looks like a clone of this repository.
/// `fairlead` is the classes under test, `kubectl` the newest stock one at hand, `sudo` a script
/// that just goes on, for all is typed as root.
final class DocumentSandbox implements AutoCloseable {
  private static final int OLDEST_KUBECTL = 29;
  private static final String DOWN = "fairlead down --purge";
  private static final String PROGRAMS = "/usr/sbin:/usr/bin:/sbin:/bin";

  private final IsolatedMachine machine;
  private final BashSession shell;
  private final String ending;

  private DocumentSandbox(IsolatedMachine machine, BashSession shell, String ending) {
    this.machine = machine;
    this.shell = shell;
    this.ending = ending;
  }

  /// Skips a test where documents cannot be typed.
  static void assumeItCanBeHad() throws IOException {
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "only root makes nodes");
    assumeTrue(
        Kubectl.minorOf(newest()) >= OLDEST_KUBECTL,
        "kubectl 1." + OLDEST_KUBECTL + " or newer is not installed");
  }

  /// On this kernel.
  static DocumentSandbox here(Path home) throws IOException {
    assumeItCanBeHad();
    return in(
        home,
        "mount -t tmpfs tmpfs /run && mkdir /run/netns && mount -t tmpfs tmpfs /var/lib",
        "",
        Map.of(),
        DOWN);
  }

  /// On this kernel, inside a lab that an ordinary user started.
  static DocumentSandbox inLab(Path home) throws IOException {
    assumeItCanBeHad();
    Path opening = home.resolve("opening.sh");
    Files.writeString(opening, OrdinaryUser.opening(home, List.of(newest())));
    String user = String.join(" ", OrdinaryUser.command());
    return in(
        home,
        "mount -t tmpfs tmpfs /run && mkdir /run/netns && mount -t tmpfs tmpfs /var/lib"
            + " && sh '%1$s' && chown -R %3$s:%3$s . \"$HOME\"/bin && chown %3$s:%3$s \"$HOME\""
                .formatted(opening, user, OrdinaryUser.ID)
            + " && %1$s fairlead up --lab --timeout=120 >\"$HOME/up.log\" 2>&1".formatted(user)
            + " && set -- %s fairlead shell \"$@\"".formatted(user),
        "",
        Map.of("SHELL", "/bin/bash"),
        // Who is root in the lab has the data of the user who started it.
        DOWN + " --data-dir=\"$HOME\"/.local/share/fairlead");
  }

  /// In a guest, whose `/run` is its own already and holds programs that fit its kernel. A start
  /// takes its time there.
  static DocumentSandbox inGuest(Path home) throws IOException {
    return in(
        home,
        "mount -t tmpfs tmpfs /var/lib",
        "/run/bin:",
        Map.of("FAIRLEAD_TIMEOUT", Long.toString(IsolatedMachine.LIMIT.toSeconds())),
        DOWN);
  }

  private static Path newest() throws IOException {
    List<Path> kubectls = new ArrayList<>(Kubectl.installed());
    CommandRunner.find("kubectl").map(Path::of).ifPresent(kubectls::addFirst);
    assumeTrue(!kubectls.isEmpty(), "kubectl is not installed");
    return kubectls.getLast();
  }

  /// @param mounts made in the shell's own mount namespace; they end with it
  /// @param programs directories searched before the usual ones
  /// @param more variables of the shell
  /// @param ending typed last, so that nothing stays
  private static DocumentSandbox in(
      Path home, String mounts, String programs, Map<String, String> more, String ending)
      throws IOException {
    IsolatedMachine machine = new IsolatedMachine(home, true);
    try {
      Path bin = home.resolve("bin");
      script(bin.resolve("kubectl"), "exec '" + newest() + "' \"$@\"");
      script(bin.resolve("sudo"), "exec \"$@\"");
      Path clone = Files.createDirectory(home.resolve("clone"));
      Files.createSymbolicLink(clone.resolve("fairlead"), machine.launcher());
      copy(Repository.root().resolve("examples"), clone.resolve("examples"));
      String enter = mounts + " && exec \"$@\"";
      Map<String, String> environment = new HashMap<>(more);
      // A busy machine takes longer than a person should have to wait.
      environment.put("FAIRLEAD_REQUEST_TIMEOUT", "60s");
      environment.put("HOME", home.toString());
      environment.put("PATH", bin + ":" + programs + PROGRAMS);
      BashSession shell =
          new BashSession(
              List.of("ip", "netns", "exec", machine.network().name(), "sh", "-c", enter, "sh"),
              clone,
              home,
              environment,
              IsolatedMachine.LIMIT);
      return new DocumentSandbox(machine, shell, ending);
    } catch (IOException | RuntimeException | Error e) {
      machine.close();
      throw e;
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  BashSession shell() {
    return shell;
  }

  /// Types a command that must succeed.
  List<String> must(String command) {
    BashSession.Output output = shell.type(command);
    assertThat(output.status()).as(command + "\n" + String.join("\n", output.lines())).isZero();
    return output.lines();
  }

  /// Takes everything away, whatever state a document left it in.
  @Override
  public void close() {
    try {
      shell.type(ending);
    } catch (IllegalStateException | java.io.UncheckedIOException _) {
      // The shell hangs or is gone: what runs on the machine is ended below.
    } finally {
      shell.close();
      machine.close();
    }
  }
}
