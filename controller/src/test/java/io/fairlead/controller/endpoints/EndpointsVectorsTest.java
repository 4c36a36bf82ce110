package io.fairlead.controller.endpoints;

import io.fairlead.controller.golden.ClusterFixture;
import io.fairlead.controller.golden.FakeClusterFixture;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// The vectors EP of the specification. Those about numbers of addresses are in [SubsetsTest].
public class EndpointsVectorsTest {
  /// Where they are played.
  protected ClusterFixture ground() {
    return new FakeClusterFixture();
  }

  protected boolean onRealServer() {
    return false;
  }

  @TestFactory
  public Stream<DynamicTest> vectors() {
    List<EndpointsVector> table =
        Stream.of(SubsetRows.table(), ObjectRows.table()).flatMap(List::stream).toList();
    return EndpointsVector.tests(table, onRealServer(), this::ground);
  }
}
