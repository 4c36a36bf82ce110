package io.fairlead.e2e.up;

import io.fairlead.app.command.Main;
import io.fairlead.work.LoopFaults;
import io.fairlead.work.LoopRegistry;
import io.fairlead.work.LoopStatus;
import io.fairlead.work.Tasks;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/// `fairlead up --foreground` in a process that makes its own loops fail when a line on its
/// standard input names their kind.
final class NodeWithFaults implements AutoCloseable {
  private static final String MARK = "## ";
  private static final int END_SECONDS = 60;

  private final Process process;
  private final BufferedReader answers;
  private final BufferedWriter orders;

  private NodeWithFaults(Process process) {
    this.process = process;
    this.answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.orders =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
  }

  static NodeWithFaults start(IsolatedMachine machine, Path home) throws IOException {
    List<String> words =
        new ArrayList<>(List.of("nsenter", "--net=" + machine.network().path(), "--"));
    words.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            NodeWithFaults.class.getName(),
            "up",
            "--foreground",
            "--data-dir=" + machine.data(),
            "--kubeconfig=" + machine.kubeconfig(),
            "--timeout=120"));
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectError(Files.createFile(home.resolve("node.log")).toFile());
    builder.environment().put("HOME", home.toString());
    builder.environment().remove("KUBECONFIG");
    return new NodeWithFaults(builder.start());
  }

  /// How often steps of each kind with running loops have failed.
  Map<String, Long> restarts() {
    Map<String, Long> restarts = new TreeMap<>();
    for (String row : order("status").split(";")) {
      if (!row.isBlank()) {
        String[] columns = row.split("=");
        restarts.put(columns[0], Long.valueOf(columns[1]));
      }
    }
    return restarts;
  }

  /// Makes all running loops of that kind fail once.
  ///
  /// @return how many
  int fail(String kind) {
    return Integer.parseInt(order(kind));
  }

  private String order(String word) {
    try {
      orders.write(word + "\n");
      orders.flush();
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        if (line.startsWith(MARK)) {
          return line.substring(MARK.length());
        }
      }
      throw new IllegalStateException("the node has ended");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] words) throws IOException {
    Tasks.start("orders", NodeWithFaults::obey);
    Main.main(words);
  }

  private static void obey() throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(
          MARK + (line.equals("status") ? statuses() : "" + LoopFaults.failOnce(line)));
    }
  }

  private static String statuses() {
    StringBuilder text = new StringBuilder();
    for (LoopStatus status : LoopRegistry.statuses()) {
      if (status.running() > 0) {
        text.append(status.kind()).append('=').append(status.restarts()).append(';');
      }
    }
    return text.toString();
  }
}
