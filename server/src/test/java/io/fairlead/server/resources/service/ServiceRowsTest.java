package io.fairlead.server.resources.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.auth.MapClusterReader;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// How many endpoints of a Service are ready, as `kubectl get service -o wide` tells.
class ServiceRowsTest {
  private static final String SELECTS =
      "{'metadata':{'name':'web','namespace':'shop'},'spec':{'type':'ClusterIP',"
          + "'ipFamilies':['IPv4'],'selector':{'app':'web'}}}";

  private record Case(String name, String service, List<String> slices, String ready) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static String slice(String name, String type, String service, String... endpoints) {
    return "{'metadata':{'name':'"
        + name
        + "','namespace':'shop','labels':{'kubernetes.io/service-name':'"
        + service
        + "'}},'addressType':'"
        + type
        + "','endpoints':["
        + String.join(",", endpoints)
        + "]}";
  }

  private static String endpoint(String address, String conditions) {
    return "{'addresses':['" + address + "'],'conditions':{" + conditions + "}}";
  }

  static Stream<Case> cases() {
    String one = endpoint("10.244.0.1", "'ready':true");
    String two = endpoint("10.244.0.2", "'ready':false,'serving':true,'terminating':true");
    String unknown = endpoint("10.244.0.3", "");
    return Stream.of(
        new Case("no slice yet", SELECTS, List.of(), "0/0"),
        new Case("one of two", SELECTS, List.of(slice("a", "IPv4", "web", one, two)), "1/2"),
        new Case(
            "no condition means ready",
            SELECTS,
            List.of(slice("a", "IPv4", "web", unknown)),
            "1/1"),
        new Case(
            "several slices, an endpoint in two of them",
            SELECTS,
            List.of(slice("a", "IPv4", "web", one, two), slice("b", "IPv4", "web", one, unknown)),
            "2/3"),
        new Case(
            "the first family counts",
            SELECTS,
            List.of(
                slice("a", "IPv6", "web", endpoint("fd00::1", "'ready':false")),
                slice("b", "IPv4", "web", one)),
            "1/1"),
        new Case(
            "slices of others do not", SELECTS, List.of(slice("a", "IPv4", "other", one)), "0/0"),
        new Case(
            "endpoints written by hand",
            SELECTS.replace(",'selector':{'app':'web'}", ""),
            List.of(slice("a", "IPv4", "web", one)),
            "1/1"),
        new Case(
            "neither selector nor endpoints",
            SELECTS.replace(",'selector':{'app':'web'}", ""),
            List.of(),
            "<none>"),
        new Case(
            "an alias has no endpoints",
            SELECTS.replace("ClusterIP", "ExternalName"),
            List.of(),
            "<none>"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void readyOfAll(Case each) {
    MapClusterReader reader = new MapClusterReader();
    each.slices().forEach(slice -> reader.put("discovery.k8s.io", "endpointslices", slice));
    assertThat(ready(new ServiceRows(reader), each.service())).isEqualTo(each.ready());
  }

  @Test
  void rowsOfOneAnswerShareWhatTheyRead() {
    MapClusterReader reader = new MapClusterReader();
    String one = endpoint("10.244.0.1", "'ready':true");
    for (String name : List.of("web", "api", "db")) {
      reader.put("discovery.k8s.io", "endpointslices", slice(name, "IPv4", name, one));
    }
    ServiceRows rows = new ServiceRows(reader);
    assertThat(
            Stream.of("web", "api", "db", "none")
                .map(name -> ready(rows, SELECTS.replace("'name':'web'", "'name':'" + name + "'"))))
        .containsExactly("1/1", "1/1", "1/1", "0/0");
  }

  private static String ready(ServiceRows rows, String service) {
    ObjectNode object = MapClusterReader.json(service);
    var cells = rows.cells(object, Instant.EPOCH);
    assertThat(cells).hasSameSizeAs(ServiceTable.COLUMNS);
    return cells.getLast().asString("");
  }
}
