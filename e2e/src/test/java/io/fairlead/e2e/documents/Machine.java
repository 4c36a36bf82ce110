package io.fairlead.e2e.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fairlead.e2e.Instance;
import io.fairlead.e2e.Repository;
import io.fairlead.e2e.kubectl.Kubectl;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.kernel.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/// A machine of its own for one document, as far as its commands can tell: a network namespace with
/// one interface, a home directory, a `/run` and a `/var/lib` of its own, and a directory that
/// looks like a clone of this repository. `fairlead` is the classes under test, `kubectl` the
/// newest stock one at hand, `sudo` a script that just goes on, for all is typed as root.
final class Machine implements AutoCloseable {
  /// The address of its interface.
  static final String ADDRESS = "192.0.2.10";

  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int OLDEST_KUBECTL = 29;

  private final NetworkNamespace network;
  private final Shell shell;

  Machine(Path home) throws IOException {
    List<Path> kubectls = new ArrayList<>(Kubectl.installed());
    Tool.find("kubectl").map(Path::of).ifPresent(kubectls::addFirst);
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "only root makes nodes");
    assumeTrue(
        kubectls.stream().mapToInt(Kubectl::minorOf).max().orElse(0) >= OLDEST_KUBECTL,
        "kubectl 1." + OLDEST_KUBECTL + " or newer is not installed");
    Path kubectl = kubectls.getLast();
    Instance.launcher(home);
    Path bin = home.resolve("bin");
    script(bin.resolve("kubectl"), "exec '" + kubectl + "' \"$@\"");
    script(bin.resolve("sudo"), "exec \"$@\"");
    Path clone = Files.createDirectory(home.resolve("clone"));
    Files.createSymbolicLink(clone.resolve("fairlead"), bin.resolve("fairlead"));
    copy(Repository.root().resolve("examples"), clone.resolve("examples"));
    network = NetworkNamespace.create("fldoc" + UUID.randomUUID().toString().substring(0, 8));
    try {
      plug();
      shell = shell(home, clone, bin);
    } catch (IOException | RuntimeException | Error e) {
      network.delete();
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

  private void plug() {
    String commands =
        """
        set -e
        ip link set lo up
        ip link add eth0 type veth peer name outside
        ip link set outside up
        ip addr add %s/24 dev eth0
        ip link set eth0 up
        ip route add default via 192.0.2.1
        """
            .formatted(ADDRESS);
    Tool.Result result = Tool.inside(network, LIMIT).run(commands, List.of("sh"));
    assertThat(result.exit()).as(result.error()).isZero();
  }

  private Shell shell(Path home, Path clone, Path bin) throws IOException {
    // The mounts belong to this shell's own mount namespace and end with it.
    String enter =
        "mount -t tmpfs tmpfs /run && mkdir /run/netns && mount -t tmpfs tmpfs /var/lib"
            + " && exec \"$@\"";
    return new Shell(
        List.of("ip", "netns", "exec", network.name(), "sh", "-c", enter, "sh"),
        clone,
        home,
        Map.of("HOME", home.toString(), "PATH", bin + ":/usr/sbin:/usr/bin:/sbin:/bin"),
        LIMIT);
  }

  Shell shell() {
    return shell;
  }

  /// Types a command that must succeed.
  List<String> must(String command) {
    Shell.Output output = shell.type(command);
    assertThat(output.status()).as(command + "\n" + String.join("\n", output.lines())).isZero();
    return output.lines();
  }

  /// Takes everything away, whatever state a document left it in.
  @Override
  public void close() {
    try {
      shell.type("fairlead down --purge");
    } catch (IllegalStateException _) {
      // The shell hangs or is gone: what runs in the namespace is ended below.
    } finally {
      shell.close();
      Tool.Result left = Tool.here(LIMIT).run("", List.of("ip", "netns", "pids", network.name()));
      left.output()
          .lines()
          .map(line -> ProcessHandle.of(Long.parseLong(line.strip())))
          .forEach(process -> process.ifPresent(ProcessHandle::destroyForcibly));
      network.delete();
    }
  }
}
