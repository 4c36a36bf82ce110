package io.fairlead.proxy.runtime;

import io.fairlead.api.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// Where a proxy writes down which state of the API its rules show, for the next process of the
/// node. When neither the rules nor the API have changed since, that process knows that the rules
/// are right before it has read the cluster.
///
/// Only a hint: without it, or when anything differs, a start takes as long as it takes to read
/// everything; and everything is read and compared in any case.
///
/// @param file replaced as a whole
/// @param watermark a word that is another one after any change of this machine's rules; empty when
///   that cannot be told
public record RestartCheckpoint(Path file, Supplier<String> watermark) {
  private static final Logger log = LoggerFactory.getLogger(RestartCheckpoint.class);

  /// What the rules show.
  ///
  /// @param node the identity of the Node, and so of the cluster
  /// @param facts all that rules depend on besides Services and endpoints
  /// @param services the version of the API's Services
  /// @param slices the same of their slices
  public record Contents(
      String mode, String node, String facts, String services, String slices, String watermark) {}

  /// What is written there, when it is for these rules as they are now.
  Optional<Contents> read() {
    try {
      if (Json.parse(Files.readAllBytes(file)) instanceof ObjectNode tree) {
        Contents note =
            new Contents(
                Json.textOr(tree, "", "mode"),
                Json.textOr(tree, "", "node"),
                Json.textOr(tree, "", "facts"),
                Json.textOr(tree, "", "services"),
                Json.textOr(tree, "", "slices"),
                Json.textOr(tree, "", "watermark"));
        return Optional.of(note)
            .filter(each -> !each.watermark.isEmpty() && each.watermark.equals(watermark.get()));
      }
    } catch (IOException | JacksonException _) {
      // No note is the rule after a boot.
    }
    return Optional.empty();
  }

  /// Takes away what a proxy may have left there.
  public static void forget(Path file) throws IOException {
    Files.deleteIfExists(draft(file));
    Files.deleteIfExists(file);
  }

  private static Path draft(Path file) {
    return file.resolveSibling(file.getFileName() + ".new");
  }

  void write(Contents note) {
    Path draft = draft(file);
    ObjectNode tree =
        Json.object()
            .put("mode", note.mode)
            .put("node", note.node)
            .put("facts", note.facts)
            .put("services", note.services)
            .put("slices", note.slices)
            .put("watermark", note.watermark);
    try {
      Files.write(draft, Json.bytes(tree));
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      log.atDebug().addKeyValue("why", e.getMessage()).log("the next start will take longer");
    }
  }
}
