package io.fairlead.controller.endpoints;

import io.fairlead.controller.golden.ClusterFixture;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// One row of a table of vectors.
///
/// @param inMemoryOnly why a real server cannot come to that; empty when it can
public record EndpointsVector(
    String name, Consumer<EndpointsTestCluster> run, String inMemoryOnly) {
  public EndpointsVector(String name, Consumer<EndpointsTestCluster> run) {
    this(name, run, "");
  }

  /// Each row as a test on a ground of its own.
  public static Stream<DynamicTest> tests(
      List<EndpointsVector> table, boolean real, Supplier<ClusterFixture> grounds) {
    return table.stream()
        .filter(row -> !real || row.inMemoryOnly().isEmpty())
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.name(),
                    () -> {
                      try (EndpointsTestCluster world = new EndpointsTestCluster(grounds.get())) {
                        row.run().accept(world);
                      }
                    }));
  }
}
