package io.fairlead.e2e.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;

/// A running `kubectl port-forward`.
final class PortForward implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;
  private final int port;

  PortForward(StreamTestPods pods, Path binary, String target, String podPort) throws IOException {
    process = pods.instance().begin(pods.line(binary, "port-forward", target, ":" + podPort));
    output = process.inputReader(UTF_8);
    String first = output.readLine();
    assertThat(first).startsWith("Forwarding from 127.0.0.1:");
    port = Integer.parseInt(first.replaceAll(".*127.0.0.1:(\\d+) .*", "$1"));
  }

  int port() {
    return port;
  }

  /// Waits for a line.
  String await(String part) throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.contains(part)) {
        return line;
      }
    }
    throw new IOException("the output ended without: " + part);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
