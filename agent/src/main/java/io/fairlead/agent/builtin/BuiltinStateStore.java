package io.fairlead.agent.builtin;

import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.api.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/// What the runtime must still know after its program ended: a small file for each sandbox and each
/// container.
final class BuiltinStateStore {
  private static final Logger log = LoggerFactory.getLogger(BuiltinStateStore.class);
  private static final String SUFFIX = ".json";

  private final Path sandboxes;
  private final Path containers;

  BuiltinStateStore(Path directory) {
    this.sandboxes = directory.resolve("sandboxes");
    this.containers = directory.resolve("containers");
    try {
      Files.createDirectories(sandboxes);
      Files.createDirectories(containers);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void keep(SandboxInfo info) {
    write(sandboxes.resolve(info.id() + SUFFIX), info);
  }

  void keep(ContainerInfo info) {
    write(containers.resolve(info.id() + SUFFIX), info);
  }

  void forgetSandbox(String id) {
    delete(sandboxes.resolve(id + SUFFIX));
  }

  void forgetContainer(String id) {
    delete(containers.resolve(id + SUFFIX));
  }

  List<SandboxInfo> sandboxes() {
    return read(sandboxes, SandboxInfo.class);
  }

  List<ContainerInfo> containers() {
    return read(containers, ContainerInfo.class);
  }

  private static void write(Path file, Object value) {
    try {
      Path next = file.resolveSibling(file.getFileName() + ".new");
      Files.write(next, Json.mapper().writeValueAsBytes(value));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> List<T> read(Path directory, Class<T> type) {
    List<T> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(one -> one.toString().endsWith(SUFFIX)).toList()) {
        try {
          found.add(Json.mapper().readValue(Files.readAllBytes(file), type));
        } catch (JacksonException e) {
          log.atWarn().addKeyValue("file", file).setCause(e).log("not understood, left out");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }
}
