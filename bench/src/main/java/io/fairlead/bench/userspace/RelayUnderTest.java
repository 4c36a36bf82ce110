package io.fairlead.bench.userspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A way to the pod: none in between, or a program on the node's second core.
///
/// @param address where clients call
/// @param echo the port that leads to one endpoint which repeats
/// @param sink the port that leads to one which swallows
/// @param spread the port that leads to three endpoints in turn; 0 for none
/// @param process null when there is none in between
record RelayUnderTest(
    String name, String address, int echo, int sink, int spread, @Nullable Process process)
    implements AutoCloseable {
  static final String OURS = "userspace";

  private static final int ENDING_SECONDS = 10;

  static RelayUnderTest direct() {
    return new RelayUnderTest(
        "direct",
        UserspaceTestbed.PODS.getFirst(),
        UserspaceTestbed.ECHO,
        UserspaceTestbed.SINK,
        0,
        null);
  }

  static RelayUnderTest ours(UserspaceTestbed bed) throws IOException {
    String pod = UserspaceTestbed.PODS.getFirst();
    List<String> spread =
        UserspaceTestbed.PODS.stream().map(each -> each + ":" + UserspaceTestbed.ECHO).toList();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            RelayProcess.class.getName(),
            "7001",
            pod + ":" + UserspaceTestbed.ECHO,
            "7002",
            pod + ":" + UserspaceTestbed.SINK,
            "7003",
            String.join(",", spread)));
    return new RelayUnderTest(OURS, UserspaceTestbed.NODE, 7001, 7002, 7003, start(bed, command));
  }

  /// Empty when it is not installed.
  static Optional<RelayUnderTest> haproxy(UserspaceTestbed bed, Path directory) throws IOException {
    Path program = Path.of("/usr/sbin/haproxy");
    if (!Files.isExecutable(program)) {
      return Optional.empty();
    }
    Path file = directory.resolve("haproxy.cfg");
    Files.writeString(
        file,
        """
        global
          maxconn 4000
          nbthread 1
        defaults
          mode tcp
          timeout connect 5s
          timeout client 1m
          timeout server 1m
        listen echo
          bind %1$s:7101
          server pod %2$s:%3$d
        listen sink
          bind %1$s:7102
          server pod %2$s:%4$d
        """
            .formatted(
                UserspaceTestbed.NODE,
                UserspaceTestbed.PODS.getFirst(),
                UserspaceTestbed.ECHO,
                UserspaceTestbed.SINK));
    Process process = start(bed, List.of(program.toString(), "-db", "-f", file.toString()));
    return Optional.of(
        new RelayUnderTest("haproxy", UserspaceTestbed.NODE, 7101, 7102, 0, process));
  }

  /// Empty when it is not installed.
  static Optional<RelayUnderTest> nginx(UserspaceTestbed bed, Path directory) throws IOException {
    Path program = Path.of("/usr/sbin/nginx");
    Path module = Path.of("/usr/lib/nginx/modules/ngx_stream_module.so");
    if (!Files.isExecutable(program) || !Files.exists(module)) {
      return Optional.empty();
    }
    Path file = directory.resolve("nginx.conf");
    Files.writeString(
        file,
        """
        load_module %5$s;
        daemon off;
        master_process off;
        pid %6$s/nginx.pid;
        error_log stderr crit;
        events { worker_connections 4000; }
        stream {
          server { listen %1$s:7201; proxy_pass %2$s:%3$d; proxy_half_close on; }
          server { listen %1$s:7202; proxy_pass %2$s:%4$d; proxy_half_close on; }
        }
        """
            .formatted(
                UserspaceTestbed.NODE,
                UserspaceTestbed.PODS.getFirst(),
                UserspaceTestbed.ECHO,
                UserspaceTestbed.SINK,
                module,
                directory));
    Process process =
        start(
            bed,
            List.of(
                program.toString(),
                "-e",
                "stderr",
                "-c",
                file.toString(),
                "-p",
                directory.toString()));
    return Optional.of(new RelayUnderTest("nginx", UserspaceTestbed.NODE, 7201, 7202, 0, process));
  }

  private static Process start(UserspaceTestbed bed, List<String> command) throws IOException {
    List<String> whole =
        new ArrayList<>(List.of("ip", "netns", "exec", bed.node().name(), "taskset", "-c", "1"));
    if (Runtime.getRuntime().availableProcessors() == 1) {
      whole.subList(4, 7).clear();
    }
    whole.addAll(command);
    return new ProcessBuilder(whole)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  @Override
  public void close() {
    if (process == null) {
      return;
    }
    process.destroy();
    try {
      if (!process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
