package io.fairlead.controller.endpoints;

import io.fairlead.controller.ground.FakeGround;
import io.fairlead.controller.ground.Ground;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// The vectors EP of the specification. Those about numbers of addresses are in [SubsetsTest].
public class EndpointsVectorsTest {
  /// Where they are played.
  protected Ground ground() {
    return new FakeGround();
  }

  protected boolean onRealServer() {
    return false;
  }

  @TestFactory
  public Stream<DynamicTest> vectors() {
    List<Vector> table =
        Stream.of(SubsetRows.table(), ObjectRows.table()).flatMap(List::stream).toList();
    return Vector.tests(table, onRealServer(), this::ground);
  }
}
