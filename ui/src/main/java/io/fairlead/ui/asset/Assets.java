package io.fairlead.ui.asset;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The built files of the page, from the jar.
public final class Assets {
  private static final Map<String, String> TYPES =
      Map.of(
          "index.html", "text/html; charset=utf-8",
          "app.js", "text/javascript; charset=utf-8",
          "app.css", "text/css; charset=utf-8",
          "icon.svg", "image/svg+xml",
          "THIRD-PARTY.txt", "text/plain; charset=utf-8",
          // Of the documentation and the examples: the page teaches from them.
          "en/walkthrough.md", "text/plain; charset=utf-8",
          "zh-CN/walkthrough.md", "text/plain; charset=utf-8",
          "examples/hostnames.yaml", "text/plain; charset=utf-8");

  private final Map<String, AssetFile> files = new LinkedHashMap<>();

  private Assets() {}

  /// Reads them all; they are small.
  public static Assets load() {
    Assets assets = new Assets();
    TYPES.forEach(
        (name, type) ->
            bytes(name).ifPresent(bytes -> assets.files.put(name, new AssetFile(bytes, type))));
    return assets;
  }

  private static Optional<byte[]> bytes(String name) {
    try (InputStream in = Assets.class.getResourceAsStream("/io/fairlead/ui/web/" + name)) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The file a path below `/ui/` stands for: a built file, or the page for what is a view of it.
  public Optional<AssetFile> find(String path) {
    String last = path.substring(path.lastIndexOf('/') + 1);
    return Optional.ofNullable(files.get(last.contains(".") ? path : "index.html"));
  }

  /// What all of them together take on the wire.
  public int packedBytes() {
    return files.values().stream().mapToInt(AssetFile::packedBytes).sum();
  }
}
