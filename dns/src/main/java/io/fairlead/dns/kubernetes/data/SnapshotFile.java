package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.json.Json;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The cluster as it was last seen, on disk, so that a server that starts while the API is away has
/// something to answer with. A line for each object; a new file takes the place of the old one in
/// one step, so there is never half of it.
final class SnapshotFile {
  private final Path file;

  SnapshotFile(Path file) {
    this.file = file;
  }

  void save(List<DnsFacts> all) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    try (BufferedWriter out = Files.newBufferedWriter(next)) {
      for (DnsFacts facts : all) {
        out.write(new String(Json.bytes(FactWriter.write(facts)), StandardCharsets.UTF_8));
        out.write('\n');
      }
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /// Hands out every object. False when there is no such file yet; an IOException when it cannot be
  /// read to its end, with what came before handed out already.
  boolean load(Consumer<ObjectNode> each) throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    try (BufferedReader in = Files.newBufferedReader(file)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        JsonNode object = Json.parse(line.getBytes(StandardCharsets.UTF_8));
        if (!(object instanceof ObjectNode whole)) {
          throw new IOException("a line that is no object");
        }
        each.accept(whole);
      }
      return true;
    } catch (JacksonException e) {
      throw new IOException("a line that is no JSON", e);
    }
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
