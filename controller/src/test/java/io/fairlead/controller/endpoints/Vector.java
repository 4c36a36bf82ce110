package io.fairlead.controller.endpoints;

import io.fairlead.controller.ground.Ground;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// One row of a table of vectors.
///
/// @param inMemoryOnly why a real server cannot come to that; empty when it can
public record Vector(String name, Consumer<World> run, String inMemoryOnly) {
  public Vector(String name, Consumer<World> run) {
    this(name, run, "");
  }

  /// Each row as a test on a ground of its own.
  public static Stream<DynamicTest> tests(
      List<Vector> table, boolean real, Supplier<Ground> grounds) {
    return table.stream()
        .filter(row -> !real || row.inMemoryOnly().isEmpty())
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.name(),
                    () -> {
                      try (World world = new World(grounds.get())) {
                        row.run().accept(world);
                      }
                    }));
  }
}
