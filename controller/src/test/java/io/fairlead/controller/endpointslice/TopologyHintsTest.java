package io.fairlead.controller.endpointslice;

import static io.fairlead.controller.endpointslice.SliceModel.podTree;
import static io.fairlead.controller.endpointslice.SliceModel.ready;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.node.ObjectNode;

/// Which clients an endpoint is meant for: the vectors of the hints.
public class TopologyHintsTest extends SliceVectors {
  @Test
  public void es38And39ReadyEndpointsAreMeantForTheirOwnZone() {
    SliceModel model = zones(2, 1, 0);
    model.spec().put("trafficDistribution", "PreferSameZone");
    model.sync();
    assertThat(hints(model)).containsExactly("a>a", "a>a", "b>b");
    model.spec().put("trafficDistribution", "PreferSameNode");
    assertThat(model.sync()).isEqualTo("1U");
    assertThat(model.only().endpoints().getFirst().hints())
        .isEqualTo(new EndpointHints(List.of("a"), List.of("node-a")));
    model.spec().remove("trafficDistribution");
    assertThat(model.sync()).isEqualTo("1U");
    assertThat(model.only().hasHints()).isFalse();
    assertThat(model.sync()).isEmpty();
  }

  @Test
  public void es39AnUnreadyEndpointWithAWrongHintIsNotWorthAWrite() {
    SliceModel model = model();
    assumeFalse(model.isReal(), "what others write is played by the histories");
    model.spec().put("trafficDistribution", "PreferClose");
    ObjectNode pod = podTree("p", "10.0.0.1");
    ready(pod, false);
    model.put(pod);
    model.sync();
    Slice right = model.only();
    SliceDraft wrong =
        SliceDraft.changing(
            right, List.of(right.endpoints().getFirst().with(EndpointHints.zone("z"))));
    model.slices.set(0, model.stored(wrong, model.decoded(), right.metadata().name()));
    assertThat(model.sync()).isEmpty();
  }

  private SliceModel zones(int... counts) {
    SliceModel model = model();
    for (int zone = 0; zone < counts.length; zone++) {
      for (int i = 0; i < counts[zone]; i++) {
        String letter = Character.toString('a' + zone);
        ObjectNode pod = podTree(letter + i, "10." + zone + ".0." + (i + 1));
        Json.child(pod, "spec").put("nodeName", "node-" + letter);
        model.put(pod);
      }
    }
    return model;
  }

  private SliceModel auto(int... counts) {
    SliceModel model = zones(counts);
    Json.child(model.serviceTree, "metadata")
        .putObject("annotations")
        .put("service.kubernetes.io/topology-mode", "Auto");
    return model;
  }

  private static List<String> hints(SliceModel model) {
    List<String> hints = new ArrayList<>();
    for (Slice slice : model.slices) {
      for (SliceEndpoint endpoint : slice.endpoints()) {
        endpoint.hints().zones().forEach(zone -> hints.add(endpoint.zone() + ">" + zone));
      }
    }
    return hints.stream().sorted().toList();
  }

  @TestFactory
  public Stream<DynamicTest> es40ProportionalHintsNeedEnoughEndpoints() {
    Set<Integer> offWithThree = Set.of(1, 2, 4, 5, 8, 11);
    Set<Integer> offWithTwo = Set.of(1, 3, 5);
    List<DynamicTest> tests = new ArrayList<>();
    for (int n = 1; n <= 20; n++) {
      int count = n;
      tests.add(
          DynamicTest.dynamicTest(
              "ES-40 three zones, " + n,
              () -> {
                SliceModel model = auto((count + 2) / 3, (count + 1) / 3, count / 3);
                model.sync();
                assertThat(hints(model).isEmpty()).isEqualTo(offWithThree.contains(count));
              }));
      tests.add(
          DynamicTest.dynamicTest(
              "ES-40 two zones, " + n,
              () -> {
                SliceModel model = auto((count + 1) / 2, count / 2);
                model.nodes.remove("node-c");
                model.sync();
                assertThat(hints(model).isEmpty()).isEqualTo(offWithTwo.contains(count));
              }));
    }
    return tests.stream();
  }

  @Test
  public void es41HalfOfAZonesEndpointsServeTheOther() {
    SliceModel model = auto(10);
    model.nodes.remove("node-c");
    model.sync();
    assertThat(hints(model)).filteredOn("a>a"::equals).hasSize(5);
    assertThat(hints(model)).filteredOn("a>b"::equals).hasSize(5);
    if (!model.isReal()) {
      assertThat(model.notices)
          .extracting(ServiceEvent::reason)
          .containsExactly("TopologyAwareHintsEnabled");
    }
    model.hinted = true;
    assertThat(model.sync()).as("stays as it is").isEmpty();
  }

  @Test
  public void es42TheRichestZoneGivesToTheNeediest() {
    SliceModel model = auto(6, 2, 1);
    model.sync();
    assertThat(hints(model))
        .containsExactly("a>a", "a>a", "a>a", "a>b", "a>c", "a>c", "b>b", "b>b", "c>c");
  }

  @Test
  public void es43TheHeuristicWinsOverTrafficDistribution() {
    SliceModel model = auto(6, 2, 1);
    model.spec().put("trafficDistribution", "PreferClose");
    model.sync();
    assertThat(hints(model)).contains("a>c");
  }

  @Test
  public void es44ANodeWithoutZoneEndsAllHints() {
    SliceModel model = auto(3, 3, 3);
    model.sync();
    model.node("node-x", "", "4");
    model.hinted = true;
    assertThat(model.sync()).isEqualTo("1U");
    assertThat(hints(model)).isEmpty();
    if (!model.isReal()) {
      assertThat(model.notices)
          .containsExactly(
              new ServiceEvent(
                  true,
                  "TopologyAwareHintsDisabled",
                  "Insufficient Node information: allocatable CPU or zone not specified on one or"
                      + " more nodes, addressType: IPv4"));
    }
  }
}
