package io.fairlead.agent.files;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The Service variables that each container of a pod was given when it was made: one small file
/// for each, in the pod's own directory, so that it outlives this program and goes with the pod. No
/// other variable of the environment is in there.
public final class GivenVariables {
  private static final String DIRECTORY = "service-variables";

  private GivenVariables() {}

  /// @param offered the variables of Services
  /// @param environment what the container gets in all; one that it sets itself is not of a Service
  static void write(
      Path podDirectory,
      String container,
      List<Map.Entry<String, String>> offered,
      Map<String, String> environment) {
    ObjectNode document = Json.object().put("name", container);
    ArrayNode variables = document.putArray("variables");
    for (Map.Entry<String, String> each : offered) {
      if (each.getValue().equals(environment.get(each.getKey()))) {
        variables.addObject().put("name", each.getKey()).put("value", each.getValue());
      }
    }
    try {
      Path directory = Files.createDirectories(podDirectory.resolve(DIRECTORY));
      Files.write(directory.resolve(container + ".json"), Json.bytes(document));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What was written, a document for each container; none when nothing was.
  public static ArrayNode read(Path podDirectory) {
    ArrayNode all = Json.array();
    Path directory = podDirectory.resolve(DIRECTORY);
    if (Files.isDirectory(directory)) {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.sorted().toList()) {
          all.add(Json.parseObject(Files.readAllBytes(file)));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (DecodeException e) {
        // Cut short by a crash: as good as none.
        return Json.array();
      }
    }
    return all;
  }
}
