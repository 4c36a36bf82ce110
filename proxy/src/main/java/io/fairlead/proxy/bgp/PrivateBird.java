package io.fairlead.proxy.bgp;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A BIRD of our own: its configuration, control socket, process number and log lie in one
/// directory, and the machine's own BIRD is not touched.
///
/// It outlives this process when that is killed, as the rules do, and goes on announcing; the next
/// process finds it at its socket and tells it what has changed.
public final class PrivateBird implements BgpEngine {
  private static final Logger log = LoggerFactory.getLogger(PrivateBird.class);
  private static final String PROGRAM = "bird";
  private static final String CONFIGURATION = "bird.conf";
  private static final String SOCKET = "bird.ctl";
  private static final String PROCESS = "bird.pid";
  private static final String OUTPUT = "bird.out";

  /// Done; begun, and it will be done.
  private static final List<Integer> RECONFIGURED = List.of(3, 4);

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Duration STEP = Duration.ofMillis(20);

  /// The kernel's limit for the path of a socket is 108 bytes.
  private static final int LONGEST_SOCKET = 107;

  private final Path directory;
  private final List<String> prefix;
  private final Pacer pacer;
  private final BirdControl control;

  /// @param directory is made when it is missing
  public PrivateBird(Path directory, Pacer pacer) {
    this(directory, List.of(), pacer);
  }

  /// @param prefix words of a command that starts another, such as `nsenter`
  PrivateBird(Path directory, List<String> prefix, Pacer pacer) {
    this.directory = directory.toAbsolutePath();
    this.prefix = List.copyOf(prefix);
    this.pacer = pacer;
    this.control = new BirdControl(this.directory.resolve(SOCKET), Ticker.system());
  }

  @Override
  public void apply(BgpConfiguration configuration) {
    if (configuration.sessions().isEmpty()) {
      end();
      return;
    }
    prepare();
    BirdFile.write(directory.resolve(CONFIGURATION), BirdConfiguration.whole(configuration));
    if (control.answers()) {
      reconfigure(control);
    } else {
      endProcess();
      launch();
    }
  }

  /// Has a BIRD read its configuration again.
  static void reconfigure(BirdControl control) {
    BirdReply reply = control.command("configure");
    if (!RECONFIGURED.contains(reply.code())) {
      throw new BgpEngineException("bird: " + reply.lastLine());
    }
  }

  private void prepare() {
    if (directory.resolve(SOCKET).toString().length() > LONGEST_SOCKET) {
      throw new BgpEngineException("the path of a socket is too long: " + directory);
    }
    try {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new BgpEngineException("cannot make " + directory + ": " + e, e);
    }
  }

  private void launch() {
    String program =
        CommandRunner.find(PROGRAM)
            .orElseThrow(
                () -> new BgpEngineException("bird is not installed: install the package bird2"));
    List<String> command = new ArrayList<>(prefix);
    // A session of its own: what is typed at a terminal does not end it.
    command.addAll(
        List.of("setsid", program, "-f", "-c", CONFIGURATION, "-s", SOCKET, "-P", PROCESS));
    try {
      Files.deleteIfExists(directory.resolve(SOCKET));
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectOutput(directory.resolve(OUTPUT).toFile())
              .start();
      awaitAnswer(process);
    } catch (IOException e) {
      throw new BgpEngineException("bird cannot be started: " + e, e);
    }
  }

  private void awaitAnswer(Process process) throws IOException {
    for (Duration left = LIMIT; left.isPositive(); left = left.minus(STEP)) {
      if (control.answers()) {
        return;
      }
      if (!process.isAlive()) {
        throw new BgpEngineException("bird ended: " + lastWords());
      }
      pause();
    }
    throw new BgpEngineException("bird did not come up: see " + directory);
  }

  private String lastWords() throws IOException {
    try (Stream<String> lines = Files.lines(directory.resolve(OUTPUT))) {
      return lines.reduce((_, line) -> line).orElse("it said nothing");
    }
  }

  private void pause() {
    try {
      pacer.pause(STEP);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BgpEngineException("interrupted", e);
    }
  }

  @Override
  public boolean isActive() {
    return Files.exists(directory.resolve(CONFIGURATION));
  }

  @Override
  public List<BgpSessionState> states() {
    return isActive() ? states(control) : List.of();
  }

  static List<BgpSessionState> states(BirdControl control) {
    return control.command("show protocols \"" + BirdConfiguration.symbols() + "\"").sessions();
  }

  @Override
  public void close() {
    try {
      end();
    } catch (BgpEngineException e) {
      log.atWarn().addKeyValue("why", e.getMessage()).log("BIRD was not ended");
    }
  }

  /// Withdraws everything: BIRD closes its sessions in order before it ends.
  private void end() {
    if (!Files.isDirectory(directory)) {
      return;
    }
    if (control.answers()) {
      BirdReply _ = control.command("down");
      for (Duration left = LIMIT;
          left.isPositive() && process().isPresent();
          left = left.minus(STEP)) {
        pause();
      }
    }
    endProcess();
    try {
      // The passwords go with it.
      for (String file : List.of(CONFIGURATION, SOCKET, PROCESS)) {
        Files.deleteIfExists(directory.resolve(file));
      }
    } catch (IOException e) {
      throw new BgpEngineException("cannot clear " + directory + ": " + e, e);
    }
  }

  /// One that does not answer any more must not stay beside its successor.
  private void endProcess() {
    process().ifPresent(ProcessHandle::destroyForcibly);
  }

  /// The process that wrote its number here, if it still is that program.
  private Optional<ProcessHandle> process() {
    try {
      String number = Files.readString(directory.resolve(PROCESS)).strip();
      if (!number.matches("\\d{1,10}")) {
        return Optional.empty();
      }
      return ProcessHandle.of(Long.parseLong(number))
          .filter(ProcessHandle::isAlive)
          .filter(it -> it.info().command().filter(path -> path.endsWith(PROGRAM)).isPresent());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
