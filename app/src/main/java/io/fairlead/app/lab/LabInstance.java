package io.fairlead.app.lab;

import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.command.Lab;
import io.fairlead.app.command.StartupPipe;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// API server, controllers and a whole node in a lab of their own, which is there as long as this
/// process holds it. Of the machine's own network nothing changes: what is reached from here is
/// carried over a Unix socket ([LabProxy]).
public final class LabInstance implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration STOP = Duration.ofSeconds(30);
  private static final int LINES_SHOWN = 20;

  private final Process process;
  private final Path socket;
  private final LabGateway api;
  private final Map<String, LabGateway> gateways = new HashMap<>();

  private LabInstance(Process process, Path socket, LabGateway api) {
    this.process = process;
    this.socket = socket;
    this.api = api;
  }

  private static CommandContext context() {
    PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
    return CommandContext.of(System.getenv(), Map.of(), nowhere, nowhere, InstantSource.system());
  }

  /// Why this machine lets this user have no lab; empty when it does.
  public static Optional<String> obstacle() {
    CommandContext context = context();
    try {
      Lab.check(context);
      return Optional.empty();
    } catch (FairleadException e) {
      return Optional.of(e.render(context.messages()).strip());
    }
  }

  /// Starts it and returns when it is ready.
  ///
  /// @param directory keeps everything; what an earlier one left there is there again
  /// @param kubeconfig the file that gets an administrator's context
  /// @param classPath of this program
  public static LabInstance start(Path directory, Path kubeconfig, String classPath)
      throws IOException {
    Path socket = directory.resolve("lab.sock");
    Files.deleteIfExists(socket);
    Path log = directory.resolve("lab.log");
    LabGateway api = LabGateway.open(socket);
    Process process;
    try {
      List<String> words = new ArrayList<>(Lab.program(context(), classPath, LabMain.class));
      words.addAll(
          List.of(
              socket.toString(),
              "up",
              "--foreground",
              "--lab",
              "--ui=off",
              "--data-dir=" + directory,
              "--kubeconfig=" + kubeconfig,
              "--api-port=" + api.address().getPort()));
      process =
          new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.to(log.toFile())).start();
    } catch (IOException | RuntimeException e) {
      api.close();
      throw e;
    }
    LabInstance instance = new LabInstance(process, socket, api);
    try {
      instance.awaitReady(log);
      api.serve(LabProxy.toPort(api.address().getPort()));
      return instance;
    } catch (RuntimeException | Error e) {
      instance.close();
      throw e;
    }
  }

  private void awaitReady(Path log) {
    CompletableFuture<Optional<String>> said = new CompletableFuture<>();
    Tasks.start(
        "lab-progress",
        () -> {
          try {
            said.complete(StartupPipe.awaitReady(process.getInputStream()));
          } catch (IOException e) {
            said.completeExceptionally(e);
          }
        });
    try {
      Optional<String> problem = said.get(START.toSeconds(), TimeUnit.SECONDS);
      if (problem.isPresent()) {
        throw new IllegalStateException(
            "the node did not start: " + problem.get().strip() + "\n" + end(log));
      }
    } catch (TimeoutException e) {
      throw new IllegalStateException("no node within " + START + "\n" + end(log), e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the node did not start\n" + end(log), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a node started", e);
    }
  }

  private static String end(Path log) {
    try {
      List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
    } catch (IOException e) {
      return "no log: " + e;
    }
  }

  /// The port at which the API is reached, from here as from inside.
  public int port() {
    return api.address().getPort();
  }

  /// An HTTP proxy on loopback, whose connections are opened in the lab and whose names are those
  /// that a pod of the namespace finds.
  public synchronized InetSocketAddress proxy(String namespace) {
    return gateways
        .computeIfAbsent(
            namespace,
            name -> {
              try {
                LabGateway gateway = LabGateway.open(socket);
                gateway.serve(LabProxy.toProxy(name));
                return gateway;
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
        .address();
  }

  /// Ends the process inside in an orderly way, and with it the lab.
  @Override
  public synchronized void close() {
    try {
      for (LabGateway each : gateways.values()) {
        each.close();
      }
      api.close();
      process.getOutputStream().close();
      if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
        int _ = process.destroyForcibly().waitFor();
      }
    } catch (IOException e) {
      process.destroyForcibly();
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
