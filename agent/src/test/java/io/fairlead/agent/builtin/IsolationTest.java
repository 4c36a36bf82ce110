package io.fairlead.agent.builtin;

import static io.fairlead.agent.builtin.BuiltinRuntimeFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.kernel.syscall.PseudoTerminal;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What a user who may create pods and run programs in them tries against the node. Every attack is
/// tried as the first program of a shell, as a program beside it, and as a program beside a
/// workload that has no process.
@Tag("system")
class IsolationTest {
  /// What containers have by default, without the one that makes devices.
  private static final long CAPABILITIES = 0xa00425fbL;

  @TempDir static Path directory;
  private static BuiltinRuntimeFixture lab;
  private static Path home;
  private static Path socket;
  private static ServerSocketChannel listener;
  private static PseudoTerminal terminal;
  private static Map<Way, Map<String, String>> outcomes;

  private enum Way {
    FIRST_PROGRAM,
    BESIDE_IT,
    BESIDE_A_WORKLOAD_WITHOUT_A_PROCESS
  }

  /// @param script ends with 0 when the attack succeeds
  private record Attack(String name, String script) {}

  private static Stream<Attack> attacks() {
    long agent = ProcessHandle.current().pid();
    Path key = directory.resolve("pki/ca.key");
    return Stream.of(
        new Attack("reads the key of the CA", "cat " + key),
        new Attack("lists the data directory", "ls " + directory),
        new Attack("reads passwords", "cat /etc/shadow"),
        new Attack("reads the home of root", "cat " + home),
        new Attack("sees a socket of the node", "[ -e " + socket + " ]"),
        new Attack(
            "reads a volume of another pod", "cat " + directory.resolve("pods/p/volumes/v/f")),
        new Attack("sees processes of the node", "[ -e /proc/" + agent + "/status ]"),
        new Attack("finds the agent", "grep -qs '^java$' /proc/[0-9]*/comm"),
        new Attack("signals the agent", "kill -0 " + agent),
        new Attack("enters the mounts of the node", "nsenter --target " + agent + " --mount true"),
        new Attack("traces its first process", "timeout -s INT 1 strace -qq -p " + agent),
        new Attack("mounts", "mount -t tmpfs x /mnt"),
        new Attack("makes programs writable", "mount -o remount,bind,rw /usr"),
        new Attack("changes programs", "[ -w /usr/bin/env ]"),
        new Attack("says what the kernel runs at a crash", "[ -w /proc/sys/kernel/core_pattern ]"),
        new Attack("has the emergency keys of the kernel", "[ -w /proc/sysrq-trigger ]"),
        new Attack("has the settings of the kernel", "[ -w /proc/sys/net/ipv4/ip_forward ]"),
        new Attack("changes devices", "[ -w /sys/kernel ] || [ -w /sys/fs/cgroup ]"),
        new Attack("sees disks", "ls /dev | grep -E '^(vd|sd|nvme|loop|mem|kmsg|fuse)'"),
        new Attack("makes a disk", "mknod /tmp/disk b 254 0"),
        new Attack("sees terminals of the node", "[ -e " + terminal.device() + " ]"),
        new Attack(
            "leaves its root",
            "perl -e 'mkdir q(/tmp/e); chroot q(/tmp/e); chdir q(..) for 1..20; chroot q(.);"
                + " exit(-e q("
                + key
                + ") ? 0 : 1)'"),
        new Attack(
            "has more capabilities than a container",
            "[ $(( 0x$(sed -n 's/CapEff:.//p' /proc/self/status) & ~"
                + CAPABILITIES
                + " )) -ne 0 ]"),
        new Attack(
            "could regain capabilities",
            "[ $(( 0x$(sed -n 's/CapBnd:.//p' /proc/self/status) & ~"
                + CAPABILITIES
                + " )) -ne 0 ] || grep -q 'NoNewPrivs:.0' /proc/self/status"));
  }

  @BeforeAll
  static void attack() throws IOException {
    lab = new BuiltinRuntimeFixture(directory);
    Files.createDirectories(directory.resolve("pki"));
    Files.writeString(directory.resolve("pki/ca.key"), "secret");
    Files.createDirectories(directory.resolve("pods/p/volumes/v"));
    Files.writeString(directory.resolve("pods/p/volumes/v/f"), "secret");
    home = Files.writeString(Path.of("/root/.fairlead-" + lab.tag()), "secret");
    socket = Path.of("/run/fairlead-" + lab.tag() + ".sock");
    listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(socket));
    terminal = PseudoTerminal.open();
    String script =
        attacks()
            .map(
                one ->
                    "if ( "
                        + one.script()
                        + " ) >/dev/null 2>&1; then echo '"
                        + one.name()
                        + ": succeeds'; else echo '"
                        + one.name()
                        + ": fails'; fi\n")
            .collect(Collectors.joining());
    SandboxInfo sandbox = lab.sandbox("attacker");
    String[] command = {"sh", "-c", script + "echo over; exec sleep infinity"};
    String shell = lab.start(sandbox, "shell", "fairlead.dev/shell", command);
    String pause = lab.start(sandbox, "pause", "fairlead.dev/pause");
    await().atMost(PATIENCE).until(() -> Files.readString(lab.log("shell")).contains("F over"));
    outcomes =
        Map.of(
            Way.FIRST_PROGRAM,
            read(Files.readString(lab.log("shell")).replaceAll("(?m)^\\S+ stdout F ", "")),
            Way.BESIDE_IT,
            read(lab.runtime().exec(shell, List.of("sh", "-c", script), PATIENCE).output()),
            Way.BESIDE_A_WORKLOAD_WITHOUT_A_PROCESS,
            read(lab.runtime().exec(pause, List.of("sh", "-c", script), PATIENCE).output()));
  }

  private static Map<String, String> read(String said) {
    return said.lines()
        .filter(line -> line.contains(": "))
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.indexOf(": ")),
                line -> line.substring(line.indexOf(": ") + 2)));
  }

  @AfterAll
  static void clean() throws IOException {
    lab.close();
    listener.close();
    terminal.close();
    Files.deleteIfExists(socket);
    Files.deleteIfExists(home);
  }

  static Stream<Arguments> cases() {
    return Stream.of(Way.values())
        .flatMap(way -> attacks().map(one -> Arguments.of(way, one.name())));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("cases")
  void anAttackFails(Way way, String attack) {
    assertThat(outcomes.getOrDefault(way, Map.of())).containsEntry(attack, "fails");
  }

  @Test
  void whatAProgramReplacesInsideRunsWithItsOwnRights() {
    SandboxInfo sandbox = lab.sandbox("replaces");
    String shell =
        lab.start(
            sandbox,
            "replaces",
            "fairlead.dev/shell",
            "sh",
            "-c",
            "rm /bin /sbin; mkdir /bin; printf '#!/usr/bin/dash\\necho mine; grep Cap"
                + " /proc/self/status' > /bin/sh; chmod 755 /bin/sh; echo over; exec sleep"
                + " infinity");
    await().atMost(PATIENCE).until(() -> Files.readString(lab.log("replaces")).contains("F over"));
    assertThat(lab.runtime().exec(shell, List.of("sh"), PATIENCE).output().lines())
        .containsExactly(
            "mine",
            "CapInh:\t0000000000000000",
            "CapPrm:\t00000000a00425fb",
            "CapEff:\t00000000a00425fb",
            "CapBnd:\t00000000a00425fb",
            "CapAmb:\t0000000000000000");
  }

  @Test
  void variablesOfAContainerNameNothingThatTheNodeRuns() throws IOException {
    Path planted = Files.createDirectories(directory.resolve("planted"));
    for (String tool : List.of("unshare", "setsid", "nsenter", "hostname", "mount", "setpriv")) {
      Files.writeString(planted.resolve(tool), "#!/bin/sh\ntouch " + directory + "/caught\n");
      assertThat(planted.resolve(tool).toFile().setExecutable(true)).isTrue();
    }
    Files.writeString(planted.resolve("profile"), "touch " + directory + "/caught\n");
    SandboxInfo sandbox = lab.sandbox("names");
    String shell =
        lab.start(
            sandbox,
            "names",
            Map.of(
                "PATH",
                planted + ":/usr/bin",
                "ENV",
                planted.resolve("profile").toString(),
                "variable_0",
                "PATH=" + planted),
            List.of(),
            "sleep",
            "infinity");
    assertThat(lab.runtime().exec(shell, List.of("printenv", "PATH"), PATIENCE).output())
        .contains(planted + ":/usr/bin\n");
    assertThat(directory.resolve("caught")).doesNotExist();
  }

  static List<String> hidingTargets() {
    return List.of(
        "/",
        "/usr",
        "/usr/bin",
        "/usr/lib/x",
        "/lib64",
        "/bin/setpriv",
        "/etc",
        "/etc/ld.so.preload",
        "/proc",
        "/proc/self",
        "/dev",
        "/dev/pts",
        "/data/link",
        "/data/link/setpriv");
  }

  @ParameterizedTest
  @MethodSource("hidingTargets")
  void aVolumeHidesNothingThatTheNodeReliesOn(String target) throws IOException {
    Path volume = Files.createDirectories(directory.resolve("volume"));
    Path link = volume.resolve("link");
    if (!Files.isSymbolicLink(link)) {
      Files.createSymbolicLink(link, Path.of("/usr/bin"));
    }
    SandboxInfo sandbox = lab.sandbox("hides" + target.replace('/', '-'));
    assertThatThrownBy(
            () ->
                lab.start(
                    sandbox,
                    "hides",
                    Map.of(),
                    List.of(
                        new ContainerConfig.Mount(volume, "/data", false),
                        new ContainerConfig.Mount(volume, target, false)),
                    "true"))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessageStartingWith("the file system of the container cannot be made: ");
  }

  @Test
  void aLinkThatChangesWhileTheContainerIsMadeHidesNothing() throws Exception {
    Path volume = Files.createDirectories(directory.resolve("raced"));
    Path link = volume.resolve("link");
    Path directory = Files.createDirectories(volume.resolve("directory"));
    Files.createSymbolicLink(volume.resolve("planted"), Path.of("/usr"));
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger swaps = new AtomicInteger();
    Thread swap =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    for (Path next : List.of(directory, volume.resolve("planted"))) {
                      // Refused while the set-up has made a directory of that name.
                      if (next.toFile().renameTo(link.toFile())
                          && link.toFile().renameTo(next.toFile())) {
                        swaps.incrementAndGet();
                      }
                    }
                  }
                });
    try {
      for (int i = 0; i < 12; i++) {
        SandboxInfo sandbox = lab.sandbox("race" + i);
        try {
          String shell =
              lab.start(
                  sandbox,
                  "race" + i,
                  Map.of(),
                  List.of(
                      new ContainerConfig.Mount(volume, "/data", false),
                      new ContainerConfig.Mount(volume, "/data/link", false)),
                  "sleep",
                  "infinity");
          assertThat(
                  lab.runtime()
                      .exec(shell, List.of("sh", "-c", "[ -w /usr ] || echo no"), PATIENCE)
                      .output())
              .isEqualTo("no\n");
        } catch (RuntimeFailure e) {
          assertThat(e.text()).startsWith("the file system of the container cannot be made: ");
        }
        lab.runtime().removeSandbox(sandbox.id());
      }
    } finally {
      over.set(true);
      swap.join();
    }
    assertThat(swaps.get()).isGreaterThan(100);
  }
}
