package io.fairlead.bench.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Programs of Kubernetes and CoreDNS to measure against. They are no part of this project: an
/// environment variable names one, or a directory beside the checkout has them packed. Where one is
/// missing, a benchmark leaves it out and says so.
public enum Originals {
  KUBE_APISERVER("kube-apiserver", "--version"),
  KUBE_CONTROLLER_MANAGER("kube-controller-manager", "--version"),
  KUBE_SCHEDULER("kube-scheduler", "--version"),
  KUBE_PROXY("kube-proxy", "--version"),
  COREDNS("coredns", "-version"),
  ETCD("etcd", "--version");

  /// With the value `off` no original takes part.
  public static final String SWITCH = "FAIRLEAD_BENCH_ORIGINALS";

  private static final List<String> UNPACK =
      List.of("../shared/originals/unpack", "../originals/unpack");

  private final String program;
  private final String versionFlag;

  Originals(String program, String versionFlag) {
    this.program = program;
    this.versionFlag = versionFlag;
  }

  /// Its file name.
  public String program() {
    return program;
  }

  /// Where it is, or empty after a word on standard error.
  public Optional<Path> find() throws IOException, InterruptedException {
    if ("off".equals(System.getenv(SWITCH))) {
      return Optional.empty();
    }
    Optional<Path> found = search();
    if (found.isEmpty()) {
      System.err.println(
          program
              + " is skipped: "
              + name()
              + " does not name it, and it is not beside the checkout");
    }
    return found;
  }

  private Optional<Path> search() throws IOException, InterruptedException {
    String named = System.getenv(name());
    if (named != null) {
      return Optional.of(Path.of(named)).filter(Files::isExecutable);
    }
    if (this == ETCD) {
      return Stream.of(System.getenv("PATH").split(":"))
          .map(directory -> Path.of(directory, program))
          .filter(Files::isExecutable)
          .findFirst();
    }
    Path home = Path.of(System.getProperty("fairlead.home", "."));
    for (String unpack : UNPACK) {
      if (Files.isExecutable(home.resolve(unpack))) {
        String directory = output(List.of(home.resolve(unpack).toString()));
        return Optional.of(Path.of(directory.strip(), "bin", program)).filter(Files::isExecutable);
      }
    }
    return Optional.empty();
  }

  /// What it calls itself, such as `kube-proxy v1.36.4`.
  public String version(Path file) throws IOException, InterruptedException {
    String first = output(List.of(file.toString(), versionFlag)).lines().findFirst().orElse("");
    String version = first.replaceFirst("^(Kubernetes|etcd Version:|CoreDNS-)\\s*", "");
    return program + " " + version.strip();
  }

  private static String output(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }
}
