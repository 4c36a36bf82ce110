package io.fairlead.e2e.documents;

import io.fairlead.e2e.Repository;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The main class inside a guest: types the walkthrough in mode ipvs, then a page about the proxy
/// as a process that follows the cluster's configuration. Says how long each command took; a lie
/// ends it with an exception.
public final class WalkInGuest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private WalkInGuest() {}

  public static void main(String[] arguments) throws IOException {
    Document walkthrough = Document.read(Repository.root(), PagesTest.WALKTHROUGH);
    type("walk", walkthrough, walkthrough.typedIn("ipvs"));
    Document configuration = page("cluster-configuration.md");
    type("configuration", configuration, configuration.typedIn("ipvs"));
    // Whatever a page left running must not keep the guest up.
    System.exit(0);
  }

  private static Document page(String name) throws IOException {
    try (InputStream stream = WalkInGuest.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException("no resource " + name);
      }
      return Document.parse(name, new String(stream.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static void type(String name, Document document, List<Block> blocks) throws IOException {
    Path home = Files.createDirectory(Path.of("/run").resolve(name));
    try (Desk desk = Desk.inGuest(home)) {
      Performance performance = new Performance(document, desk.shell(), PATIENCE);
      try {
        performance.play(blocks);
      } finally {
        performance.took().forEach(System.out::println);
      }
    }
  }
}
