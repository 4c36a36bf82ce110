package io.fairlead.insight.dump;

import io.fairlead.api.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Collects the files of an archive, each redacted when it is added, and writes them at the end
/// together with a list of what is in there and what is not. Owned by one thread.
public final class DumpArchive {
  private final Redaction redaction;
  private final long most;
  private final Map<String, byte[]> files = new LinkedHashMap<>();
  private final List<String> cut = new ArrayList<>();
  private final List<Missing> unseen = new ArrayList<>();
  private long size;

  /// Something that could not be read.
  public record Missing(String what, String why) {}

  /// @param most so many bytes before compression and no more
  public DumpArchive(Redaction redaction, long most) {
    this.redaction = redaction;
    this.most = most;
  }

  public void add(String name, JsonNode document) {
    put(name, redaction.document(document).toPrettyString());
  }

  public void add(String name, String text) {
    put(name, redaction.text(text));
  }

  /// Names the file that is left out because it does not fit.
  private void put(String name, String content) {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    if (size + bytes.length > most) {
      cut.add(name);
      return;
    }
    size += bytes.length;
    files.put(name, bytes);
  }

  public void unseen(String what, String why) {
    unseen.add(new Missing(what, redaction.text(why)));
  }

  public List<Missing> unseen() {
    return List.copyOf(unseen);
  }

  /// Writes the archive; only its owner may read it. Fails when the file is there.
  ///
  /// @return the document `Dump`
  public ObjectNode write(Path path, Instant now) throws IOException {
    ObjectNode manifest =
        Json.object().put("apiVersion", "cli.fairlead.dev/v1").put("kind", "Dump");
    manifest.put("path", path.toString());
    ArrayNode list = manifest.putArray("files");
    files.forEach((name, bytes) -> list.addObject().put("name", name).put("bytes", bytes.length));
    cut.forEach(manifest.putArray("cut")::add);
    ArrayNode missing = manifest.putArray("unseen");
    unseen.forEach(each -> missing.addObject().put("what", each.what()).put("why", each.why()));
    Files.createFile(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    String top = path.getFileName().toString().replaceFirst("\\.tar\\.gz$", "") + "/";
    try (OutputStream out = Files.newOutputStream(path, StandardOpenOption.WRITE);
        UstarWriter tar = new UstarWriter(new GZIPOutputStream(out), now)) {
      tar.add(top + "MANIFEST.json", manifest.toPrettyString().getBytes(StandardCharsets.UTF_8));
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        tar.add(top + file.getKey(), file.getValue());
      }
    }
    return manifest.put("bytes", Files.size(path));
  }
}
