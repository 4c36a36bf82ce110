package io.fairlead.e2e.kubectl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// One stock kubectl binary, run in a home directory of its own.
///
/// @param minor 20, 27, …
/// @param binary the real program, not a dispatcher
/// @param home holds the kubeconfig, the discovery cache and a `bin` with the name `kubectl`
/// @param directory where commands run; the manifests lie there
public record Kubectl(int minor, Path binary, Path home, Path directory) {
  private static final Pattern NUMBERED = Pattern.compile("kubectl\\.1\\.(\\d+)");
  private static final Pattern VERSION = Pattern.compile("v1\\.(\\d+)\\.");

  /// What a command printed; exit "timeout" when it was stopped.
  public record Result(String stdout, String stderr, String exit) {}

  /// The binaries on this machine, oldest first: numbered ones beside the dispatcher, and the one
  /// the test set-up unpacked from Debian's package (named by `FAIRLEAD_TEST_KUBECTL`).
  public static List<Path> installed() throws IOException {
    List<Path> found = new ArrayList<>();
    String unpacked = System.getenv("FAIRLEAD_TEST_KUBECTL");
    if (unpacked != null && !unpacked.isEmpty()) {
      found.add(Path.of(unpacked));
    }
    Path sdk = Path.of("/usr/lib/google-cloud-sdk/bin");
    if (Files.isDirectory(sdk)) {
      try (Stream<Path> files = Files.list(sdk)) {
        files
            .filter(file -> NUMBERED.matcher(file.getFileName().toString()).matches())
            .forEach(found::add);
      }
    }
    found.sort(Comparator.comparingInt(Kubectl::minorOf));
    return found;
  }

  public static int minorOf(Path binary) {
    Matcher numbered = NUMBERED.matcher(binary.getFileName().toString());
    if (numbered.matches()) {
      return Integer.parseInt(numbered.group(1));
    }
    try {
      Process asked =
          new ProcessBuilder(binary.toString(), "version", "--client", "-o", "json")
              .redirectErrorStream(true)
              .start();
      Matcher version = VERSION.matcher(new String(asked.getInputStream().readAllBytes(), UTF_8));
      return version.find() ? Integer.parseInt(version.group(1)) : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  /// Makes the home directory ready.
  public static Kubectl install(Path binary, Path home, Path directory) throws IOException {
    Path bin = Files.createDirectories(home.resolve("bin"));
    Files.createSymbolicLink(bin.resolve("kubectl"), binary);
    return new Kubectl(minorOf(binary), binary, home, directory);
  }

  /// Runs a command line through the shell, as a person would type it.
  public Result run(String commandLine, Map<String, String> environment, int seconds)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(home, "out", ".txt");
    Path err = Files.createTempFile(home, "err", ".txt");
    Process process = start(commandLine, environment, out, err);
    boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
    return result(process, ended, out, err);
  }

  /// Runs a command that goes on until it is stopped, and others meanwhile: the first at once, each
  /// of the rest when the command has printed a line about the one before, which comes after a line
  /// of headers.
  ///
  /// @param seconds how long to wait for a line
  public Result follow(String commandLine, List<String> meanwhile, int seconds)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(home, "out", ".txt");
    Path err = Files.createTempFile(home, "err", ".txt");
    Process process = start(commandLine, Map.of(), out, err);
    try {
      for (int i = 0; i < meanwhile.size(); i++) {
        run(meanwhile.get(i), Map.of(), seconds);
        int wanted = i + 2;
        await()
            .atMost(Duration.ofSeconds(seconds))
            .until(() -> Files.readString(out).lines().count() >= wanted || !process.isAlive());
      }
      return result(process, !process.isAlive(), out, err);
    } finally {
      stop(process);
    }
  }

  private Process start(String commandLine, Map<String, String> environment, Path out, Path err)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", commandLine)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    builder.environment().put("HOME", home.toString());
    builder.environment().put("KUBECONFIG", home.resolve("config").toString());
    builder.environment().put("PATH", home.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static Result result(Process process, boolean ended, Path out, Path err)
      throws IOException, InterruptedException {
    stop(process);
    return new Result(
        Files.readString(out).strip(),
        Files.readString(err).strip(),
        ended ? Integer.toString(process.exitValue()) : "timeout");
  }

  private static void stop(Process process) throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    process.waitFor(60, TimeUnit.SECONDS);
  }
}
