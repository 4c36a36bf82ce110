package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// What nodes say of their flows, and why shares differ from those expected.
class TopModelTest {
  /// One endpoint as a node counts it.
  private record Endpoint(double expect, int active, int begun, int older) {}

  private static ObjectNode node(int sticky, int clients, int top, Endpoint... endpoints) {
    ObjectNode node = Json.object().put("mode", "nftables").put("sinceMillis", 2000);
    ObjectNode service =
        node.putArray("services")
            .addObject()
            .put("namespace", "default")
            .put("name", "hostnames")
            .put("port", "")
            .put("protocol", "TCP")
            .put("address", "10.0.1.175")
            .put("number", 80)
            .put("affinitySeconds", sticky)
            .put("clients", clients);
    service.putObject("topClient").put("address", "10.244.9.9").put("active", top);
    for (int i = 0; i < endpoints.length; i++) {
      Endpoint each = endpoints[i];
      service
          .withArray("endpoints")
          .addObject()
          .put("address", "10.244.1." + (i + 1))
          .put("port", 9376)
          .put("expect", each.expect())
          .put("active", each.active())
          .put("begun", each.begun())
          .put("inBytes", 2000)
          .put("outBytes", 4000)
          .put("oldestSeconds", 60)
          .put("older", each.older());
    }
    return node;
  }

  private record Case(String name, List<ObjectNode> nodes, String code, List<Integer> expect) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final double THIRD = 1 / 3.0;

  static Stream<Case> cases() {
    return Stream.of(
        new Case(
            "even: nothing to say",
            List.of(
                node(
                    0,
                    9,
                    3,
                    new Endpoint(THIRD, 20, 30, 0),
                    new Endpoint(THIRD, 22, 31, 0),
                    new Endpoint(THIRD, 19, 29, 0))),
            "",
            List.of(33, 33, 33)),
        new Case(
            "v99 old keep-alive connections, new ones are even",
            List.of(
                node(
                    0,
                    50,
                    3,
                    new Endpoint(THIRD, 70, 100, 60),
                    new Endpoint(THIRD, 10, 96, 0),
                    new Endpoint(THIRD, 10, 104, 0))),
            "FL180",
            List.of(33, 33, 33)),
        new Case(
            "v100 affinity with two clients",
            List.of(
                node(
                    10800,
                    2,
                    15,
                    new Endpoint(THIRD, 30, 60, 0),
                    new Endpoint(THIRD, 0, 0, 0),
                    new Endpoint(THIRD, 2, 4, 0))),
            "FL181",
            List.of(33, 33, 33)),
        new Case(
            "v141 Local policy: two pods on a, one on b, equal load",
            List.of(
                node(
                    0,
                    9,
                    3,
                    new Endpoint(0.5, 25, 50, 0),
                    new Endpoint(0.5, 25, 50, 0),
                    new Endpoint(0, 0, 0, 0)),
                node(
                    0,
                    9,
                    3,
                    new Endpoint(0, 0, 0, 0),
                    new Endpoint(0, 0, 0, 0),
                    new Endpoint(1, 50, 100, 0))),
            "FL182",
            List.of(25, 25, 50)),
        new Case(
            "v142 a rule that was changed by hand",
            List.of(
                node(
                    0,
                    50,
                    3,
                    new Endpoint(THIRD, 90, 540, 0),
                    new Endpoint(THIRD, 5, 30, 0),
                    new Endpoint(THIRD, 5, 30, 0))),
            "FL183",
            List.of(33, 33, 33)),
        new Case(
            "v143 one client holds most connections",
            List.of(
                node(
                    0,
                    50,
                    80,
                    new Endpoint(THIRD, 80, 30, 0),
                    new Endpoint(THIRD, 10, 30, 0),
                    new Endpoint(THIRD, 10, 30, 0))),
            "FL184",
            List.of(33, 33, 33)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theReasonIsTheFirstThatHolds(Case each) {
    TopModel.TopService service = TopModel.of(each.nodes()).getFirst();
    assertThat(service.skew().map(TopModel.Skew::code).orElse("")).isEqualTo(each.code());
    assertThat(service.endpoints())
        .extracting(endpoint -> (int) Math.round(100 * endpoint.expect()))
        .isEqualTo(each.expect());
  }
}
