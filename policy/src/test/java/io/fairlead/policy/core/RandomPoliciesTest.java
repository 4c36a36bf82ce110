package io.fairlead.policy.core;

import io.fairlead.api.net.IpAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random objects, changes and packets: the plan that was built step by step is the one from
/// nothing, and the table says about every packet what the oracle says.
class RandomPoliciesTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void planAndOracleAgree(long seed) {
    new RandomRun(seed, seed % 2 == 0 ? IpAddress.Family.IPV6 : IpAddress.Family.IPV4).run();
  }
}
