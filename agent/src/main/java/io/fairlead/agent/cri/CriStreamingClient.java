package io.fairlead.agent.cri;

import com.google.protobuf.MessageLite;
import io.fairlead.agent.cri.CriProto.AttachRequest;
import io.fairlead.agent.cri.CriProto.ExecRequest;
import io.fairlead.agent.cri.CriProto.ExecSyncRequest;
import io.fairlead.agent.cri.CriProto.ExecSyncResponse;
import io.fairlead.agent.cri.CriProto.PodSandboxStatusRequest;
import io.fairlead.agent.cri.CriProto.PodSandboxStatusResponse;
import io.fairlead.agent.cri.CriProto.StreamingResponse;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.network.LoopbackDialer;
import io.fairlead.agent.runtime.AttachedProcess;
import io.fairlead.agent.runtime.ExecResult;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.api.json.Json;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Reaches into containers of an engine. For a program the engine gives an address of its own
/// server, good for one connection; for a port of a pod its network namespace is entered.
///
/// @param host the network that the engine runs in
record CriStreamingClient(CriClient client, HostNamespace host) {
  private static final Duration QUICK = Duration.ofSeconds(30);
  private static final Duration SLOW = Duration.ofMinutes(4);

  AttachedProcess exec(String container, List<String> command, boolean input, boolean terminal) {
    ExecRequest request =
        ExecRequest.newBuilder()
            .setContainerId(container)
            .addAllCmd(command)
            .setTty(terminal)
            .setStdin(input)
            .setStdout(true)
            .setStderr(!terminal)
            .build();
    return streams("Exec", request, input, terminal);
  }

  /// Runs a program to its end, or until the time is over.
  ExecResult execSync(String id, List<String> command, Duration timeout) {
    long seconds = Math.max(1, (timeout.toMillis() + 999) / 1000);
    ExecSyncRequest request =
        ExecSyncRequest.newBuilder()
            .setContainerId(id)
            .addAllCmd(command)
            .setTimeout(seconds)
            .build();
    try {
      ExecSyncResponse response =
          client.runtime("ExecSync", request, ExecSyncResponse.parser(), SLOW.plusSeconds(seconds));
      return new ExecResult(
          response.getExitCode(),
          response.getStdout().toStringUtf8() + response.getStderr().toStringUtf8(),
          false);
    } catch (CriException e) {
      if (e.isTimeout()) {
        return new ExecResult(-1, "", true);
      }
      throw new RuntimeFailure("RunContainerError", e.text());
    }
  }

  /// The streams of the container's own first program.
  AttachedProcess attach(String container, boolean input, boolean terminal) {
    AttachRequest request =
        AttachRequest.newBuilder()
            .setContainerId(container)
            .setStdin(input)
            .setTty(terminal)
            .setStdout(true)
            .setStderr(!terminal)
            .build();
    return streams("Attach", request, input, terminal);
  }

  private AttachedProcess streams(
      String call, MessageLite request, boolean input, boolean terminal) {
    try {
      URI url =
          URI.create(client.runtime(call, request, StreamingResponse.parser(), QUICK).getUrl());
      Socket socket = LoopbackDialer.dial(host::call, url.getPort());
      return StreamedProgram.start(socket, url, input, terminal);
    } catch (CriException e) {
      throw new RuntimeFailure("RunContainerError", e.text());
    } catch (IOException | IllegalArgumentException e) {
      throw new RuntimeFailure(
          "RunContainerError", "the engine's streams: " + String.valueOf(e.getMessage()));
    }
  }

  Socket dial(String sandbox, int port) throws IOException {
    Optional<Path> network = network(sandbox);
    return network.isEmpty()
        ? LoopbackDialer.dial(host::call, port)
        : LoopbackDialer.dial(work -> NetworkNamespace.callIn(network.get(), work), port);
  }

  /// Where the network namespace of a sandbox is mounted; none where it has the node's own.
  Optional<Path> network(String sandbox) throws IOException {
    try {
      PodSandboxStatusRequest request =
          PodSandboxStatusRequest.newBuilder().setPodSandboxId(sandbox).setVerbose(true).build();
      String info =
          client
              .runtime("PodSandboxStatus", request, PodSandboxStatusResponse.parser(), QUICK)
              .getInfoOrDefault("info", "");
      if (!info.isEmpty()) {
        return namespace(Json.mapper().readTree(info));
      }
      throw new IOException("the engine does not say where the network of " + sandbox + " is");
    } catch (CriException e) {
      throw new IOException(e.text(), e);
    } catch (JacksonException e) {
      throw new IOException("the engine's words about a sandbox are no JSON", e);
    }
  }

  private static Optional<Path> namespace(JsonNode info) {
    for (JsonNode namespace : Json.at(info, "runtimeSpec", "linux", "namespaces")) {
      String path = Json.textOr(namespace, "", "path");
      if (Json.textOr(namespace, "", "type").equals("network") && !path.isEmpty()) {
        return Optional.of(Path.of(path));
      }
    }
    return Optional.empty();
  }
}
