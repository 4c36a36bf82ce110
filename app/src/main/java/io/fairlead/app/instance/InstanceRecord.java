package io.fairlead.app.instance;

import io.fairlead.api.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// What an instance wrote down about itself, so that `status` and `down` find it and everything it
/// set outside its data directory.
///
/// @param phase how far it is
/// @param pid its process
/// @param startTicks when that process started, see [ProcessFacts#startTicks]
/// @param started the same for people
/// @param address the address it listens on
/// @param port the TLS port, 0 while not known
/// @param kubeconfig the file that got the context, empty for none
/// @param context the name of that context
public record InstanceRecord(
    Phase phase,
    long pid,
    long startTicks,
    Instant started,
    String address,
    int port,
    String kubeconfig,
    String context) {

  /// How far an instance is. `STOPPED` keeps what `down` still has to undo.
  public enum Phase {
    STARTING,
    READY,
    STOPPED
  }

  /// The record in a data directory; nothing when there is none or it cannot be read as one.
  public static Optional<InstanceRecord> read(DataDirectory directory) {
    try {
      ObjectNode node = Json.parseObject(Files.readAllBytes(directory.record()));
      return Optional.of(
          new InstanceRecord(
              Phase.valueOf(Json.textOr(node, "STOPPED", "phase")),
              node.path("pid").asLong(0),
              node.path("startTicks").asLong(0),
              Instant.parse(Json.textOr(node, "1970-01-01T00:00:00Z", "started")),
              Json.textOr(node, "127.0.0.1", "address"),
              node.path("port").asInt(0),
              Json.textOr(node, "", "kubeconfig"),
              Json.textOr(node, "", "context")));
    } catch (IOException | JacksonException | ClassCastException | IllegalArgumentException e) {
      // Absent, cut short by a crash, or foreign: the lock, not this file, says who lives.
      return Optional.empty();
    } catch (java.time.DateTimeException e) {
      return Optional.empty();
    }
  }

  /// Writes it whole or not at all.
  public void write(DataDirectory directory) {
    ObjectNode node =
        Json.object()
            .put("phase", phase.name())
            .put("pid", pid)
            .put("startTicks", startTicks)
            .put("started", started.toString())
            .put("address", address)
            .put("port", port)
            .put("kubeconfig", kubeconfig)
            .put("context", context);
    try {
      Path next =
          Files.createTempFile(
              directory.root(),
              "instance",
              ".json",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.write(next, Json.bytes(node));
      Files.move(
          next,
          directory.record(),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The process that wrote this, while it lives. A process that merely got the same number later
  /// does not count.
  public Optional<ProcessHandle> process() {
    if (phase == Phase.STOPPED || ProcessFacts.startTicks(pid).orElse(-1) != startTicks) {
      return Optional.empty();
    }
    return ProcessHandle.of(pid);
  }

  public String url() {
    return ApiUrl.of(address, port);
  }

  /// The same, ready and with the port it really has.
  public InstanceRecord listening(int port) {
    return new InstanceRecord(
        Phase.READY, pid, startTicks, started, address, port, kubeconfig, context);
  }

  public InstanceRecord at(Phase phase) {
    return new InstanceRecord(phase, pid, startTicks, started, address, port, kubeconfig, context);
  }
}
