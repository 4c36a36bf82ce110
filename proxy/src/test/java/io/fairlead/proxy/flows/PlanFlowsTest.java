package io.fairlead.proxy.flows;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Protocol;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// The flow table against the plan.
class PlanFlowsTest {
  @TestFactory
  Stream<DynamicTest> thePlanDecidesAsTheTableSays() {
    return Stream.of(IpAddress.Family.values())
        .flatMap(
            family -> {
              Fixture fixture = new Fixture(family, Protocol.TCP);
              return Flows.of(family).stream()
                  .map(
                      flow ->
                          DynamicTest.dynamicTest(
                              family + " " + flow,
                              () ->
                                  assertThat(
                                          new PlanVerdict(fixture.plan(flow.setup()), fixture)
                                              .of(flow))
                                      .isEqualTo(flow.expected(Mode.IPTABLES))));
            });
  }
}
