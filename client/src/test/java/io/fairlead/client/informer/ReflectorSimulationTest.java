package io.fairlead.client.informer;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The informer under a server that loses connections, forgets history, repeats itself and refuses.
/// After every step its copy must be exactly the server's state at the version the copy claims.
class ReflectorSimulationTest {
  static LongStream seeds() {
    return LongStream.range(0, 60);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theCopyIsAlwaysAStateTheServerHad(long seed) {
    new SimulatedApiServer(seed, 400).run();
  }
}
