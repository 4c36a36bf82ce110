package io.fairlead.agent.image;

import io.fairlead.agent.node.MachineInfo;
import io.fairlead.api.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import tools.jackson.databind.node.ObjectNode;

/// A container image of one layer, as the OCI image specification has it: the layer, a
/// configuration that says what to run, and a manifest that names both by their digests. The same
/// content gives the same digests.
///
/// @param blobs by digest: layer, configuration, manifest
/// @param digest of the manifest
public record OciImage(Map<String, byte[]> blobs, String digest) {
  public static final String MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json";
  private static final String CONFIG_TYPE = "application/vnd.oci.image.config.v1+json";
  private static final String LAYER_TYPE = "application/vnd.oci.image.layer.v1.tar+gzip";
  private static final String ALGORITHM = "sha256:";

  public OciImage {
    blobs = Map.copyOf(blobs);
  }

  /// Makes an image of one layer.
  ///
  /// @param tar the layer, not compressed
  public static OciImage of(
      byte[] tar, List<String> entrypoint, List<String> command, List<String> environment) {
    byte[] layer = compressed(tar);
    ObjectNode config =
        Json.object().put("architecture", MachineInfo.architecture()).put("os", "linux");
    ObjectNode run = config.putObject("config");
    list(run, "Env", environment);
    list(run, "Entrypoint", entrypoint);
    list(run, "Cmd", command);
    // Of the layer as it was before compression.
    list(config.putObject("rootfs").put("type", "layers"), "diff_ids", List.of(digestOf(tar)));
    byte[] configuration = bytes(config);
    ObjectNode manifest = Json.object().put("schemaVersion", 2).put("mediaType", MANIFEST_TYPE);
    manifest.set("config", descriptor(CONFIG_TYPE, configuration));
    manifest.putArray("layers").add(descriptor(LAYER_TYPE, layer));
    byte[] whole = bytes(manifest);
    return new OciImage(
        Map.of(
            digestOf(layer), layer, digestOf(configuration), configuration, digestOf(whole), whole),
        digestOf(whole));
  }

  /// The manifest.
  public byte[] manifest() {
    byte[] found = blobs.get(digest);
    if (found == null) {
      throw new IllegalStateException("an image without its manifest");
    }
    return found;
  }

  /// An archive that engines import under a name.
  ///
  /// @param reference with registry and tag
  public byte[] archive(String reference) {
    ObjectNode index = Json.object().put("schemaVersion", 2);
    ObjectNode entry = descriptor(MANIFEST_TYPE, manifest());
    entry
        .putObject("annotations")
        .put("io.containerd.image.name", reference)
        .put("org.opencontainers.image.ref.name", reference.replaceFirst("^.*:", ""));
    index.putArray("manifests").add(entry);
    TarWriter tar =
        new TarWriter()
            .file("oci-layout", 0644, bytes(Json.object().put("imageLayoutVersion", "1.0.0")))
            .file("index.json", 0644, bytes(index))
            .directory("blobs")
            .directory("blobs/sha256");
    blobs.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            blob ->
                tar.file(
                    "blobs/sha256/" + blob.getKey().substring(ALGORITHM.length()),
                    0644,
                    blob.getValue()));
    return tar.bytes();
  }

  private static ObjectNode descriptor(String type, byte[] blob) {
    return Json.object()
        .put("mediaType", type)
        .put("digest", digestOf(blob))
        .put("size", blob.length);
  }

  private static void list(ObjectNode into, String name, List<String> texts) {
    if (!texts.isEmpty()) {
      texts.forEach(into.putArray(name)::add);
    }
  }

  private static byte[] bytes(ObjectNode node) {
    return node.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] compressed(byte[] tar) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(tar);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static String digestOf(byte[] blob) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(blob);
      return ALGORITHM + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
