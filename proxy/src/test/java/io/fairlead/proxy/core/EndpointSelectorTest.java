package io.fairlead.proxy.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Which endpoints a node uses (spec/proxy.md 1.6, vectors S1-S16 of 7.2).
class EndpointSelectorTest {
  private static final String NODE = "node-a";

  /// @param endpoints `A` ready; then words: `local`, `!r`, `s`, `!s`, `t`, `z1`, `node-b`…
  /// @param service words: `np` node port, `etp`, `itp`
  record Row(
      String id,
      String zone,
      List<String> endpoints,
      String service,
      Set<String> cluster,
      Set<String> local,
      Set<String> all,
      boolean any) {
    @Override
    public String toString() {
      return id + " " + endpoints + " " + service;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        plain("S1", Set.of("A", "C"), "A z1", "B z2", "C z1 z3"),
        plain("S2", Set.of("A", "B"), "A z1", "B"),
        plain("S3", Set.of("A", "B"), "A z2", "B z3"),
        plain("S4", Set.of("A"), "A z1", "B z2", "C !r"),
        plain("S5", Set.of("B"), "A z1 !r", "B z2"),
        plain("S6", Set.of("A"), "A z1 node-a", "B z1 node-b"),
        plain("S7", Set.of("A"), "A z1 node-c", "B z2 node-b"),
        plain("S8", Set.of("A"), "A !r s t", "B !r !s t"),
        new Row(
            "S9",
            "z1",
            List.of("A local !r s t", "B"),
            "np etp",
            Set.of("B"),
            Set.of("A"),
            Set.of("A", "B"),
            true),
        new Row(
            "S10",
            "z1",
            List.of("A local z2", "B local z1", "C z1", "D z2"),
            "np etp",
            Set.of("B", "C"),
            Set.of("A", "B"),
            Set.of("A", "B", "C"),
            true),
        new Row("S11", "z1", List.of("A"), "itp", Set.of(), Set.of(), Set.of(), true),
        new Row(
            "S12", "z1", List.of("A local", "B"), "itp", Set.of(), Set.of("A"), Set.of("A"), true),
        new Row(
            "S13",
            "z1",
            List.of("A local", "B"),
            "etp",
            Set.of("A", "B"),
            Set.of(),
            Set.of("A", "B"),
            true),
        new Row("S14", "z1", List.of("A !r s"), "", Set.of(), Set.of(), Set.of(), false),
        new Row(
            "S15",
            "z1",
            List.of("A !r s t"),
            "np itp etp",
            Set.of("A"),
            Set.of(),
            Set.of("A"),
            true),
        new Row("S16", "", List.of("A z1"), "", Set.of("A"), Set.of(), Set.of("A"), true));
  }

  private static Row plain(String id, Set<String> used, String... endpoints) {
    return new Row(id, "z1", List.of(endpoints), "", used, Set.of(), used, true);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void choosesAsTheSpecificationSays(Row row) {
    List<Backend> endpoints = new ArrayList<>();
    row.endpoints.forEach(text -> endpoints.add(backend(text)));
    SelectedEndpoints choice =
        EndpointSelector.choose(port(row.service), endpoints, NODE, row.zone);
    assertThat(names(choice.cluster())).as("cluster").isEqualTo(row.cluster);
    assertThat(names(choice.local())).as("local").isEqualTo(row.local);
    assertThat(names(choice.all())).as("all").isEqualTo(row.all);
    assertThat(choice.any()).as("any").isEqualTo(row.any);
    assertThat(choice.all().size() + choice.unused().size())
        .as("every endpoint is used or has a reason")
        .isEqualTo(endpoints.size());
  }

  @Test
  void addressesThatMeanTheNodeItselfAreNeverUsed() {
    List<Backend> endpoints =
        Stream.of("127.0.0.1", "169.254.169.254", "224.0.0.1", "0.0.0.0")
            .map(address -> Backend.ready(IpAddress.parse(address), 80, true))
            .toList();
    SelectedEndpoints choice = EndpointSelector.choose(port("np etp itp"), endpoints, NODE, "");
    assertThat(choice.any()).isFalse();
    assertThat(choice.unused())
        .extracting(UnusedBackend::why)
        .containsOnly(UnusedBackend.Reason.FORBIDDEN_ADDRESS)
        .hasSize(4);
  }

  @Test
  void reasonsNameTheFact() {
    List<Backend> endpoints =
        List.of(backend("A z1"), backend("B z2"), backend("C z1 !r s t"), backend("D z1 !r !s t"));
    assertThat(EndpointSelector.choose(port(""), endpoints, NODE, "z1").unused())
        .extracting(UnusedBackend::why)
        .containsExactly(
            UnusedBackend.Reason.HINTED_ELSEWHERE,
            UnusedBackend.Reason.TERMINATING,
            UnusedBackend.Reason.NOT_SERVING);
  }

  private static Set<String> names(List<Backend> endpoints) {
    return endpoints.stream()
        .map(endpoint -> String.valueOf((char) ('A' + endpoint.address().low() % 256 - 1)))
        .collect(Collectors.toSet());
  }

  private static Backend backend(String text) {
    List<String> words = List.of(text.split(" "));
    Set<String> zones =
        words.stream().filter(word -> word.startsWith("z")).collect(Collectors.toSet());
    Set<String> nodes =
        words.stream().filter(word -> word.startsWith("node-")).collect(Collectors.toSet());
    return new Backend(
        IpAddress.parse("10.64.0." + (text.charAt(0) - 'A' + 1)),
        8080,
        words.contains("local"),
        !words.contains("!r"),
        !words.contains("!s"),
        words.contains("t"),
        zones,
        nodes);
  }

  private static ServicePort port(String words) {
    return new ServicePort(
        new ServicePortName("t", "s", "h", Protocol.TCP),
        IpAddress.parse("10.112.0.1"),
        80,
        words.contains("np") ? 30080 : 0,
        List.of(),
        List.of(),
        List.of(),
        words.contains("itp") ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER,
        words.contains("etp") ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER,
        0,
        0);
  }
}
