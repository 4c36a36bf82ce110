package io.fairlead.ui.asset;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The built files of the page, from the jar.
public final class Assets {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("index.html", "text/html; charset=utf-8"),
          Map.entry("app.js", "text/javascript; charset=utf-8"),
          Map.entry("app.css", "text/css; charset=utf-8"),
          Map.entry("icon.svg", "image/svg+xml"),
          Map.entry("THIRD-PARTY.txt", TEXT),
          // Of the documentation and the examples: the page teaches from them.
          Map.entry("en/walkthrough.md", TEXT),
          Map.entry("zh-CN/walkthrough.md", TEXT),
          Map.entry("examples/hostnames.yaml", TEXT),
          Map.entry("modules/kernel/README.md", TEXT),
          Map.entry("modules/proxy/README.md", TEXT),
          Map.entry("modules/dns/README.md", TEXT),
          Map.entry("modules/controller/README.md", TEXT),
          Map.entry("modules/agent/README.md", TEXT),
          Map.entry("modules/policy/README.md", TEXT));

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
