package io.fairlead.ui.asset;

import io.fairlead.api.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// `bundle.json`: which sources the committed files were built from, and what they were when they
/// were built. Who changes a source without building, or a built file by hand, is found out.
///
/// @param sources one hash over the paths and bytes of all sources
/// @param files hash of each built file, by name
public record BundleManifest(String sources, Map<String, String> files) {
  /// Directories and files below `ui/web` that the build reads.
  private static final List<String> READ =
      List.of(
          "src",
          "public",
          "index.html",
          "package.json",
          "package-lock.json",
          "vite.config.ts",
          "tsconfig.json",
          "svelte.config.js");

  public BundleManifest {
    files = Map.copyOf(files);
  }

  /// What a `bundle.json` says.
  public static BundleManifest read(byte[] json) {
    ObjectNode tree = Json.parseObject(json);
    Map<String, String> files = new TreeMap<>();
    tree.path("files").properties().forEach(f -> files.put(f.getKey(), f.getValue().asString("")));
    return new BundleManifest(Json.textOr(tree, "", "sources"), files);
  }

  /// What it should say.
  ///
  /// @param web the directory `ui/web`
  /// @param built the directory of the built files
  public static BundleManifest of(Path web, Path built) throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (Path file : filesBelow(built)) {
      String name = built.relativize(file).toString();
      if (!name.equals("bundle.json")) {
        files.put(name, hash(Files.readAllBytes(file)));
      }
    }
    List<Path> sources = new ArrayList<>();
    for (String part : READ) {
      sources.addAll(filesBelow(web.resolve(part)));
    }
    Map<String, String> bySource = new TreeMap<>();
    for (Path file : sources) {
      bySource.put(web.relativize(file).toString(), hash(Files.readAllBytes(file)));
    }
    StringBuilder all = new StringBuilder();
    bySource.forEach((name, hash) -> all.append(name).append(' ').append(hash).append('\n'));
    return new BundleManifest(hash(all.toString().getBytes(StandardCharsets.UTF_8)), files);
  }

  private static List<Path> filesBelow(Path path) throws IOException {
    if (!Files.exists(path)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(path)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  static String hash(byte[] bytes) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
          .toLowerCase(Locale.ROOT);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
