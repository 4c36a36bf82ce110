package io.fairlead.controller.golden;

import io.fairlead.controller.testing.Scenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The recordings among the resources of this package's parent.
public final class Recordings {
  private Recordings() {}

  /// Those whose id is wanted, in the order of their ids.
  public static List<Scenario> of(Predicate<String> ids) {
    URL place = Objects.requireNonNull(Recordings.class.getResource("ES-1.json"), "no recordings");
    try (Stream<Path> files = Files.list(Path.of(place.toURI()).getParent())) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .sorted()
          .map(Recordings::read)
          .filter(scenario -> ids.test(scenario.id()))
          .toList();
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Scenario read(Path file) {
    try {
      return Scenario.parse(Files.readAllBytes(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
