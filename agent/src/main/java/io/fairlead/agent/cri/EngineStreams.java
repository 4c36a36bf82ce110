package io.fairlead.agent.cri;

import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.network.Loopback;
import io.fairlead.agent.runtime.Attached;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.api.json.Json;
import io.fairlead.kernel.namespace.NetworkNamespace;
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
record EngineStreams(CriClient client, HostNamespace host) {
  private static final Duration QUICK = Duration.ofSeconds(30);

  Attached exec(String container, List<String> command, boolean input, boolean terminal) {
    Message request =
        Message.write()
            .text(1, container)
            .texts(2, command)
            .flag(3, terminal)
            .flag(4, input)
            .flag(5, true)
            .flag(6, !terminal)
            .build();
    return streams("Exec", request, input, terminal);
  }

  /// The streams of the container's own first program.
  Attached attach(String container, boolean input, boolean terminal) {
    Message request =
        Message.write()
            .text(1, container)
            .flag(2, input)
            .flag(3, terminal)
            .flag(4, true)
            .flag(5, !terminal)
            .build();
    return streams("Attach", request, input, terminal);
  }

  private Attached streams(String call, Message request, boolean input, boolean terminal) {
    try {
      URI url = URI.create(client.runtime(call, request, QUICK).text(1));
      Socket socket = Loopback.dial(host::call, url.getPort());
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
        ? Loopback.dial(host::call, port)
        : Loopback.dial(work -> NetworkNamespace.callIn(network.get(), work), port);
  }

  /// Where the network namespace of a sandbox is mounted; none where it has the node's own.
  private Optional<Path> network(String sandbox) throws IOException {
    try {
      Message request = Message.write().text(1, sandbox).flag(2, true).build();
      for (Message entry : client.runtime("PodSandboxStatus", request, QUICK).messages(2)) {
        if (entry.text(1).equals("info")) {
          return namespace(Json.mapper().readTree(entry.text(2)));
        }
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
