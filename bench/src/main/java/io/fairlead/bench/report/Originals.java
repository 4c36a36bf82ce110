package io.fairlead.bench.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Programs of Kubernetes and CoreDNS to measure against. They are no part of this project: an
/// environment variable names one, or a directory beside the checkout has them packed.
public final class Originals {
  private static final String UNPACK = "../shared/originals/unpack";

  private Originals() {}

  /// @param variable such as `COREDNS`
  /// @param program such as `coredns`
  public static Optional<Path> find(Path home, String variable, String program)
      throws IOException, InterruptedException {
    String named = System.getenv(variable);
    if (named != null) {
      return Optional.of(Path.of(named)).filter(Files::isExecutable);
    }
    Path unpack = home.resolve(UNPACK);
    if (!Files.isExecutable(unpack)) {
      return Optional.empty();
    }
    Process process =
        new ProcessBuilder(unpack.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return Optional.of(Path.of(said.strip(), "bin", program)).filter(Files::isExecutable);
  }
}
