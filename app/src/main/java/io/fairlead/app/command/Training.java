package io.fairlead.app.command;

import io.fairlead.app.Options;
import io.fairlead.app.StandardComponentFactory;
import io.fairlead.app.cli.ArgumentParser;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.Grammar;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.ReadyzCheck;
import io.fairlead.app.logging.Logging;
import io.fairlead.server.ApiServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A run that does a little of everything, so that the JVM learns which classes to put into an AOT
/// cache. Only the build starts it.
///
/// There are five runs and five caches, because a JVM links all classes of its cache before it does
/// anything: with the server's, `--help` would take twice as long as with none, and a DNS server
/// would be half as large again.
public final class Training {
  private static final int HEALTH_ROUNDS = 3;

  private Training() {}

  /// `commands` uses the command line as a user does, `server` is a server that is used, `dns` a
  /// DNS server that is asked, `node` a server with a node and `proxy` a proxy, these two in a lab
  /// that `bin/train` makes around them.
  public static void main(String[] words) throws Exception {
    Path directory = Files.createTempDirectory("fairlead-training");
    try {
      switch (words.length == 1 ? words[0] : "") {
        case "commands" -> commands(directory);
        case "server" -> server(directory);
        case "dns" -> DnsExercise.run(directory, context(directory));
        case "node" -> node(directory);
        case "proxy" -> {
          enterLab();
          ProxyExercise.run(directory, context(directory));
        }
        default ->
            throw new IllegalArgumentException("train what: commands, server, dns, node or proxy?");
      }
    } finally {
      delete(directory);
    }
    System.exit(ExitCode.FINE);
  }

  private static void commands(Path directory) throws IOException {
    CommandContext context = context(directory);
    String data = "--data-dir=" + directory.resolve("data");
    String kubeconfig = "--kubeconfig=" + directory.resolve("kubeconfig");
    for (List<String> line :
        List.of(
            List.of("--help"),
            List.of("up", "--help"),
            List.of("version", "-o", "json"),
            List.of("completion", "bash"),
            List.of("no-such-verb"),
            List.of("status", data),
            List.of("up", data, kubeconfig, "--api-port=" + freePort(), "--agent=off"),
            List.of("status", data),
            List.of("doctor", data),
            List.of("down", data, "--purge"))) {
      Main.shell().run(line, context);
    }
    // The process in front of a node reads more options; it does not start one here.
    Options _ = options(directory, "--agent=on");
  }

  private static Options options(Path directory, String... words) {
    return new ServerOptionReader(
            new ArgumentParser(Map.of()).parse(Grammar.UP, List.of(words)),
            new DataDirectory(directory.resolve("data")))
        .forUp();
  }

  /// Starts as the background process does, which comes by way of the command line.
  private static RunningInstance start(Options options, Path directory) {
    CommandContext context = context(directory);
    Main.shell().run(List.of("up", "--help"), context);
    StandardComponentFactory assembly = new StandardComponentFactory();
    ApiServer.preload();
    var _ = new UpCommand(assembly);
    var _ = new Foreground(context, assembly);
    return RunningInstance.start(
        options,
        Optional.of(directory.resolve("kubeconfig")),
        assembly,
        new StartupPipe(context.terminal().out()),
        context);
  }

  private static void server(Path directory) throws IOException, GeneralSecurityException {
    Logging.off();
    int port = freePort();
    Options options = options(directory, "--api-port=" + port, "--agent=off");
    try (RunningInstance _ = start(options, directory)) {
      Path pki = options.server().pki();
      for (int round = 0; round < HEALTH_ROUNDS; round++) {
        ReadyzCheck.ask("127.0.0.1", port, pki.resolve("ca.crt"));
      }
      ApiServerExercise.run(port, pki);
    }
  }

  /// The network of the machine is not for training.
  private static void enterLab() throws IOException {
    if (Files.readString(Path.of("/proc/self/uid_map")).contains("4294967295")) {
      throw new IllegalStateException("this process is in no user namespace of its own");
    }
    Lab.prepare();
  }

  private static void node(Path directory) throws Exception {
    Logging.off();
    enterLab();
    int port = freePort();
    Options options = options(directory, "--api-port=" + port);
    try (RunningInstance _ = start(options, directory)) {
      ReadyzCheck.ask("127.0.0.1", port, options.server().pki().resolve("ca.crt"));
      ApiServerExercise.run(port, options.server().pki());
      NodeExercise.run(port, options.server().pki());
    }
  }

  private static CommandContext context(Path directory) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    return CommandContext.of(
        Map.of(
            "LANG", "C.UTF-8",
            "HOME", directory.toString(),
            "PATH", System.getenv().getOrDefault("PATH", "")),
        Map.of(),
        nowhere,
        nowhere,
        InstantSource.system());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
