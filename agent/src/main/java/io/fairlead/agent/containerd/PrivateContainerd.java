package io.fairlead.agent.containerd;

import io.fairlead.agent.image.PauseImage;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.api.net.Cidr;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.CommandRunnerException;
import io.fairlead.work.Backoff;
import io.fairlead.work.Pacer;
import io.fairlead.work.SupervisedLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A containerd that belongs to one agent: everything of it lies in one directory.
///
/// The agent starts it when it does not run and starts it again when it died. It outlives the
/// agent, as containers do, until [#end]; the containers themselves outlive it.
///
/// Owned by the thread that calls it, but for the loop that guards its process.
public final class PrivateContainerd implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PrivateContainerd.class);
  static final String LOOP = "containerd-guard";
  private static final Duration GUARD_PERIOD = Duration.ofSeconds(1);
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration STEP = Duration.ofMillis(50);
  private static final int MOST_ABSENT = 40;

  /// The kernel's limit for the path of a socket is 108 bytes, and one more has a longer name.
  private static final int LONGEST_SOCKET = 100;

  /// Remembers where the settings of network plugins are.
  private static final String PLUGINS = "plugins";

  private final Path home;
  private final HostNamespace host;
  private final Pacer pacer;
  private final SupervisedLoop guard =
      SupervisedLoop.of(LOOP)
          .platform()
          .afterEach(GUARD_PERIOD)
          .backoff(new Backoff(GUARD_PERIOD, Duration.ofSeconds(10)))
          .stopWithin(LIMIT)
          .build(this::restartIfGone);

  /// @param home its directory
  /// @param host the network it pulls from and connects pods to
  public PrivateContainerd(Path home, HostNamespace host, Pacer pacer) {
    this.home = home.toAbsolutePath();
    this.host = host;
    this.pacer = pacer;
  }

  /// Whether one was ever started in a directory.
  public static boolean isIn(Path home) {
    return Files.exists(home.resolve("config.toml"));
  }

  public Path socket() {
    return home.resolve("containerd.sock");
  }

  /// Starts it unless it runs, waits until it answers, and sees that it stays.
  ///
  /// @param ranges of this node's pods
  /// @param addresses where the addresses of its pods are kept
  /// @throws RuntimeFailure when a program is missing or it does not come up
  public void start(List<Cidr> ranges, Path addresses) throws InterruptedException {
    start(ranges, addresses, Optional.empty(), Optional.empty());
  }

  /// The same with a limit for packets, and with network plugins that the administrator has set up.
  ///
  /// @param mtu the longest packet pods may send; empty for what the kernel says
  /// @param plugins the directory with their settings; empty for a network like that of the
  ///   built-in runtime. Pods start when something is in there
  public void start(
      List<Cidr> ranges, Path addresses, Optional<Integer> mtu, Optional<Path> plugins)
      throws InterruptedException {
    for (String program : List.of("containerd", "ctr", "runc")) {
      if (CommandRunner.find(program).isEmpty()) {
        throw new RuntimeFailure(
            "ContainerCreating",
            program
                + " is not installed: install the packages containerd, runc and"
                + " containernetworking-plugins, or use --runtime builtin");
      }
    }
    if (!Files.exists(Path.of("/usr/lib/cni/ptp"))) {
      throw new RuntimeFailure(
          "ContainerCreating",
          "/usr/lib/cni/ptp is missing: install the package containernetworking-plugins");
    }
    if (socket().toString().length() > LONGEST_SOCKET) {
      throw new RuntimeFailure(
          "ContainerCreating",
          "the path of a socket is too long, use a shorter directory: " + home);
    }
    try {
      Files.createDirectories(home.resolve("cni"));
      Files.createDirectories(home.resolve("certs.d"));
      write(
          home.resolve("cni/10-fairlead.conflist"),
          ContainerdConfig.network(ranges, addresses.toAbsolutePath(), mtu));
      write(
          home.resolve(PLUGINS),
          plugins.map(Path::toAbsolutePath).orElse(home.resolve("cni")).toString());
      tables().remember();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    resume();
    if (!ctr("images", "ls", "-q", "name==" + PauseImage.REFERENCE)
        .output()
        .contains(PauseImage.REFERENCE)) {
      importArchive(PauseImage.archive());
    }
    guard.start();
  }

  /// Starts it, unless it runs, with the settings it had.
  public void resume() throws InterruptedException {
    if (process().isEmpty()) {
      launch();
    }
    int absent = 0;
    for (long waited = 0; waited < LIMIT.toMillis(); waited += STEP.toMillis()) {
      if (Files.exists(socket()) && answers()) {
        return;
      }
      // A process that is just becoming another program shows no command line for a moment.
      absent = process().isEmpty() ? absent + 1 : 0;
      if (absent > MOST_ABSENT) {
        break;
      }
      pacer.pause(STEP);
    }
    throw new RuntimeFailure(
        "ContainerCreating", "containerd did not come up: see " + home.resolve("containerd.log"));
  }

  private boolean answers() {
    try {
      return ctr("version").succeeded();
    } catch (CommandRunnerException e) {
      return false;
    }
  }

  private CommandRunner.Result ctr(String... words) {
    List<String> line = new ArrayList<>(List.of("ctr", "-a", socket().toString(), "-n", "k8s.io"));
    line.addAll(List.of(words));
    return CommandRunner.here(LIMIT).run("", line);
  }

  private void restartIfGone() {
    if (process().isEmpty()) {
      log.atWarn().log("containerd is gone, starting it again; pods run on");
      launch();
    }
  }

  private void launch() {
    try {
      Files.createDirectories(home);
      write(home.resolve("config.toml"), ContainerdConfig.engine(home, plugins(), snapshotter()));
      Files.deleteIfExists(socket());
      List<String> line = new ArrayList<>();
      host.inside()
          .ifPresent(inside -> line.addAll(List.of("nsenter", "--net=" + inside.path(), "--")));
      // A session of its own: what is typed at the agent's terminal does not end it.
      line.addAll(
          List.of(
              "setsid",
              CommandRunner.find("containerd").orElseThrow(),
              "--config",
              home.resolve("config.toml").toString()));
      Process process =
          new ProcessBuilder(line)
              .redirectErrorStream(true)
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectOutput(
                  ProcessBuilder.Redirect.appendTo(home.resolve("containerd.log").toFile()))
              .start();
      write(home.resolve("containerd.pid"), Long.toString(process.pid()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path plugins() throws IOException {
    Path chosen = home.resolve(PLUGINS);
    return Files.exists(chosen) ? Path.of(Files.readString(chosen)) : home.resolve("cni");
  }

  /// Layers by the kernel's overlay where the directory's file system allows it, else by copies.
  private String snapshotter() throws IOException {
    Path trial = Files.createDirectories(home.resolve("trial"));
    for (String part : List.of("lower", "upper", "work", "merged")) {
      Files.createDirectories(trial.resolve(part));
    }
    String options =
        "lowerdir="
            + trial.resolve("lower")
            + ",upperdir="
            + trial.resolve("upper")
            + ",workdir="
            + trial.resolve("work");
    CommandRunner tool = CommandRunner.here(LIMIT);
    String merged = trial.resolve("merged").toString();
    boolean works =
        tool.run("", List.of("mount", "-t", "overlay", "overlay", "-o", options, merged))
            .succeeded();
    if (works) {
      tool.run("", List.of("umount", merged));
    } else {
      log.atInfo().addKeyValue("directory", home).log("no overlay here, layers are copied");
    }
    return works ? "overlayfs" : "native";
  }

  /// Takes images in from an archive.
  public void importArchive(byte[] archive) {
    try {
      Path file = Files.createTempFile(home, "import", ".tar");
      try {
        Files.write(file, archive);
        CommandRunner.Result result = ctr("images", "import", file.toString());
        if (!result.succeeded()) {
          throw new RuntimeFailure("ErrImagePull", "import: " + result.error().strip());
        }
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Its process, if it runs.
  public Optional<ProcessHandle> process() {
    try {
      long id = Long.parseLong(Files.readString(home.resolve("containerd.pid")).strip());
      // Another process may have got the number since.
      String line = Files.readString(Path.of("/proc/" + id + "/cmdline"));
      return line.contains(home.resolve("config.toml").toString())
          ? ProcessHandle.of(id)
          : Optional.empty();
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }

  /// Ends it for good and takes away what it keeps while running. Images stay for the next time.
  public void end() throws InterruptedException {
    close();
    Optional<ProcessHandle> process = process();
    process.ifPresent(ProcessHandle::destroy);
    for (long waited = 0;
        process.isPresent() && process.get().isAlive() && waited < LIMIT.toMillis();
        waited += STEP.toMillis()) {
      pacer.pause(STEP);
    }
    process.filter(ProcessHandle::isAlive).ifPresent(ProcessHandle::destroyForcibly);
    try {
      for (String file :
          List.of("containerd.pid", "containerd.sock", "containerd.sock.ttrpc", "config.toml")) {
        Files.deleteIfExists(home.resolve(file));
      }
      PortmapChains.remove(host);
      tables().remove();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private PortmapTables tables() {
    return new PortmapTables(host, home.resolve("tables"));
  }

  private static void write(Path file, String text) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(next, text);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /// Guards it no longer; it runs on.
  @Override
  public void close() {
    guard.close();
  }
}
