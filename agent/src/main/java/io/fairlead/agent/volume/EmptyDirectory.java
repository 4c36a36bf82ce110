package io.fairlead.agent.volume;

import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Quantity;
import io.fairlead.kernel.syscall.FileCalls;
import io.fairlead.kernel.syscall.MountPoints;
import io.fairlead.kernel.syscall.SystemCallException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A volume of type `emptyDir`: a directory of the node's disk, or with `medium: Memory` a file
/// system in memory, which counts as memory of the pod that writes to it.
///
/// @param place where it lies
/// @param source the volume's `emptyDir`
record EmptyDirectory(Path place, JsonNode source) {
  /// Makes it. One that is there keeps its content, unless it was in memory and the machine was
  /// switched off.
  ///
  /// @return whether it is new
  boolean open() {
    String medium = Json.textOr(source, "", "medium");
    try {
      return switch (medium) {
        case "" -> onDisk();
        case "Memory" -> inMemory();
        default ->
            throw new RuntimeFailure(
                "ContainerCreating", "no emptyDir of medium " + medium + " on this node");
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SystemCallException e) {
      throw new RuntimeFailure("ContainerCreating", String.valueOf(e.getMessage()));
    }
  }

  private boolean onDisk() throws IOException {
    if (Files.exists(place)) {
      return false;
    }
    Files.createDirectories(place);
    everyonesToWrite();
    return true;
  }

  private boolean inMemory() throws IOException {
    Files.createDirectories(place);
    if (MountPoints.below(place).contains(place.toRealPath())) {
      return false;
    }
    Quantity limit = limit();
    FileCalls.mountTmpfs(
        place, limit == null || limit.isZero() ? "mode=0777" : "mode=0777,size=" + limit.value());
    everyonesToWrite();
    return true;
  }

  private @Nullable Quantity limit() {
    return Quantity.parseOrNull(source.path("sizeLimit").asString(""));
  }

  private void everyonesToWrite() throws IOException {
    Files.setPosixFilePermissions(place, AtomicDirectory.permissions(0777));
  }
}
