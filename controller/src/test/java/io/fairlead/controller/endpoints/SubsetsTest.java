package io.fairlead.controller.endpoints;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SubsetsTest {
  private static final EndpointPort HTTP = port("http", 8080);
  private static final EndpointPort HTTPS = port("https", 8443);

  private static EndpointPort port(String name, int number) {
    return new EndpointPort(name, number, "TCP", Optional.empty());
  }

  private static EndpointAddress address(String ip) {
    return new EndpointAddress(ip, "", "", Optional.empty());
  }

  private static EndpointAddress pod(String ip, String uid) {
    return new EndpointAddress(ip, "", "", Optional.of(AddressTargetRef.pod("default", "p", uid)));
  }

  private static EndpointSubset subset(
      List<EndpointAddress> ready, List<EndpointAddress> notReady, EndpointPort... ports) {
    return new EndpointSubset(ready, notReady, List.of(ports));
  }

  private record Repacked(String name, List<EndpointSubset> given, List<EndpointSubset> expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Repacked> repacked() {
    EndpointAddress a = address("10.0.0.1");
    EndpointAddress b = address("10.0.0.2");
    return Stream.of(
        new Repacked("nothing stays nothing", List.of(), List.of()),
        new Repacked(
            "MI-8: one address on two ports is one subset",
            List.of(subset(List.of(a), List.of(), HTTPS), subset(List.of(a), List.of(), HTTP)),
            List.of(subset(List.of(a), List.of(), HTTP, HTTPS))),
        new Repacked(
            "other addresses keep two subsets, in the order of their ports",
            List.of(subset(List.of(a, b), List.of(), HTTPS), subset(List.of(a), List.of(), HTTP)),
            List.of(subset(List.of(a), List.of(), HTTP), subset(List.of(a, b), List.of(), HTTPS))),
        new Repacked(
            "other readiness keeps two subsets",
            List.of(subset(List.of(a), List.of(), HTTP), subset(List.of(), List.of(a), HTTPS)),
            List.of(subset(List.of(a), List.of(), HTTP), subset(List.of(), List.of(a), HTTPS))),
        new Repacked(
            "not ready wins for the same port",
            List.of(subset(List.of(a), List.of(), HTTP), subset(List.of(), List.of(a), HTTP)),
            List.of(subset(List.of(), List.of(a), HTTP))),
        new Repacked(
            "EP-1: addresses are sorted as texts, doubles dropped",
            List.of(subset(List.of(address("10.0.0.2"), address("10.0.0.10"), b), List.of(), HTTP)),
            List.of(subset(List.of(address("10.0.0.10"), b), List.of(), HTTP))),
        new Repacked(
            "one address of two pods is two",
            List.of(subset(List.of(pod("10.0.0.1", "y"), pod("10.0.0.1", "x")), List.of(), HTTP)),
            List.of(subset(List.of(pod("10.0.0.1", "x"), pod("10.0.0.1", "y")), List.of(), HTTP))),
        new Repacked(
            "without ports it stays without",
            List.of(subset(List.of(b), List.of()), subset(List.of(a), List.of())),
            List.of(subset(List.of(a, b), List.of()))));
  }

  @ParameterizedTest
  @MethodSource("repacked")
  void repacks(Repacked row) {
    assertThat(Repacking.of(row.given())).isEqualTo(row.expected());
    assertThat(Repacking.of(row.expected())).isEqualTo(row.expected());
  }

  private record Cut(
      String name,
      List<Integer> ready,
      List<Integer> notReady,
      List<Integer> keptReady,
      List<Integer> keptNotReady) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Cut> cuts() {
    List<Integer> none = List.of(0, 0, 0, 0, 0);
    return Stream.of(
        new Cut("EP-11: 1001 ready", List.of(1001), List.of(0), List.of(1000), List.of(0)),
        new Cut("EP-12: 999 ready, 5 not", List.of(999), List.of(5), List.of(999), List.of(1)),
        new Cut(
            "EP-13: ready ones by proportion",
            List.of(205, 400, 402, 400, 693),
            List.of(100, 200, 300, 400, 500),
            List.of(98, 191, 192, 191, 328),
            none),
        new Cut(
            "EP-14: not ready ones by proportion",
            List.of(90, 110, 50, 10, 20),
            List.of(101, 200, 200, 201, 298),
            List.of(90, 110, 50, 10, 20),
            List.of(73, 144, 144, 145, 214)),
        new Cut(
            "a subset of which nothing is left is not written",
            List.of(1000, 0),
            List.of(0, 3),
            List.of(1000),
            List.of(0)));
  }

  @ParameterizedTest
  @MethodSource("cuts")
  void cutsToAThousand(Cut row) {
    List<EndpointSubset> given = new ArrayList<>();
    for (int i = 0; i < row.ready().size(); i++) {
      given.add(
          subset(
              many("10." + i, row.ready().get(i)),
              many("11." + i, row.notReady().get(i)),
              port("p" + i, 8000 + i)));
    }
    List<EndpointSubset> kept = Truncation.of(given).orElseThrow();
    assertThat(kept).extracting(subset -> subset.ready().size()).isEqualTo(row.keptReady());
    assertThat(kept).extracting(subset -> subset.notReady().size()).isEqualTo(row.keptNotReady());
    assertThat(kept.getFirst().ready())
        .isEqualTo(given.getFirst().ready().subList(0, row.keptReady().getFirst()));
  }

  @Test
  void exactlyAThousandAreNotCut() {
    assertThat(Truncation.of(List.of(subset(many("10.0", 600), many("10.1", 400), HTTP))))
        .isEmpty();
  }

  private static List<EndpointAddress> many(String prefix, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> address(prefix + "." + i / 250 + "." + i % 250))
        .toList();
  }
}
