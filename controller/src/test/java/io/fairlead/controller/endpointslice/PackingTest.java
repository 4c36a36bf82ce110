package io.fairlead.controller.endpointslice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// The vectors of the packing: what is there, what changes, which writes it takes.
public class PackingTest extends SliceVectors {
  /// @param before the sizes of the slices there are; slice N holds the pods `gN-…`
  /// @param change what happens
  /// @param writes creates, updates and deletes
  /// @param after the sizes of the slices then
  public record Case(
      String name,
      List<Integer> before,
      Consumer<SliceModel> change,
      String writes,
      List<Integer> after) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Consumer<SliceModel> fresh(int count) {
    return model -> model.pods("new", 200, count);
  }

  private static void flip(SliceModel model, String pod) {
    ObjectNode tree =
        SliceModel.podTree(
            pod, Objects.requireNonNull(model.pods.get(pod)).addresses().getFirst().text());
    SliceModel.ready(tree, false);
    model.put(tree);
  }

  private static void targetPort(SliceModel model) {
    model.port(0).put("targetPort", 9090);
  }

  public static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    cases.add(new Case("PK-1 250 pods", List.of(), fresh(250), "3C", List.of(100, 100, 50)));
    Object[][] limits = {
      {50, List.of(50, 50, 50, 50, 50)},
      {80, List.of(80, 80, 80, 10)},
      {150, List.of(150, 100)},
      {250, List.of(250)},
      {500, List.of(250)}
    };
    for (Object[] limit : limits) {
      @SuppressWarnings("unchecked") // as written above
      List<Integer> sizes = (List<Integer>) limit[1];
      cases.add(
          new Case(
              "PK-2 250 pods, at most " + limit[0],
              List.of(),
              model -> {
                model.most = (int) limit[0];
                fresh(250).accept(model);
              },
              sizes.size() + "C",
              sizes));
    }
    cases.addAll(
        List.of(
            new Case("PK-3", List.of(62, 61), fresh(127), "1C1U", List.of(89, 61, 100)),
            new Case("PK-4", List.of(74, 74), fresh(152), "2C", List.of(74, 74, 100, 52)),
            new Case("PK-5", List.of(100), fresh(1), "1C", List.of(100, 1)),
            new Case("PK-6", List.of(99), fresh(1), "1U", List.of(100)),
            new Case("PK-7", List.of(90, 40), fresh(20), "1U", List.of(90, 60)),
            new Case("PK-8", List.of(85, 70), fresh(10), "1U", List.of(95, 70)),
            new Case("PK-9", List.of(60, 60), fresh(50), "1C", List.of(60, 60, 50)),
            new Case(
                "PK-10 one of the second flips",
                List.of(60, 60),
                model -> {
                  flip(model, "g1-0000");
                  fresh(30).accept(model);
                },
                "1U",
                List.of(60, 90)),
            new Case(
                "PK-11 one flips in each",
                List.of(80, 20),
                model -> {
                  flip(model, "g0-0000");
                  flip(model, "g1-0000");
                  fresh(15).accept(model);
                },
                "2U",
                List.of(95, 20)),
            new Case("PK-12", List.of(30), fresh(100), "1C", List.of(30, 100)),
            new Case("PK-13", List.of(30), fresh(170), "1C1U", List.of(100, 100)),
            new Case(
                "PK-14 all pods of the second vanish",
                List.of(100, 100, 100),
                model -> model.pods.keySet().removeIf(name -> name.startsWith("g1-")),
                "1D",
                List.of(100, 100)),
            new Case(
                "PK-15 they vanish and as many come",
                List.of(100, 100, 100),
                model -> {
                  model.pods.keySet().removeIf(name -> name.startsWith("g1-"));
                  fresh(100).accept(model);
                },
                "1U",
                List.of(100, 100, 100)),
            new Case(
                "PK-16 nothing is balanced",
                List.of(30, 30, 30, 30, 30, 30, 30, 30, 30, 30),
                _ -> {},
                "",
                List.of(30, 30, 30, 30, 30, 30, 30, 30, 30, 30)),
            new Case(
                "PK-17 another target port, half empty slices",
                List.of(30, 30, 30, 30, 30, 30, 30, 30, 30, 30),
                PackingTest::targetPort,
                "3U7D",
                List.of(100, 100, 100)),
            new Case(
                "PK-18 another target port, full slices",
                List.of(100, 100, 50),
                PackingTest::targetPort,
                "3U",
                List.of(100, 100, 50)),
            new Case(
                "PK-19 never merged",
                List.of(100, 1),
                model -> model.pods.remove("g0-0000"),
                "1U",
                List.of(99, 1)),
            new Case(
                "PK-20 a slice of a dead namesake",
                List.of(2),
                model -> Json.child(model.serviceTree, "metadata").put("uid", "another"),
                "1C1D",
                List.of(2)),
            new Case(
                "a Service on its way out leaves slices that no longer name it",
                List.of(2),
                model ->
                    Json.child(model.serviceTree, "metadata")
                        .put("uid", "another")
                        .put("deletionTimestamp", "2026-01-01T01:00:00Z"),
                "",
                List.of(2)),
            new Case(
                "PK-21 slices of a retired type",
                List.of(80, 50),
                PackingTest::retire,
                "2C2D",
                List.of(100, 30)),
            new Case(
                "PK-22 the Service is being deleted",
                List.of(100),
                model -> {
                  Json.child(model.serviceTree, "metadata")
                      .put("deletionTimestamp", "2026-01-01T01:00:00Z");
                  flip(model, "g0-0000");
                  fresh(10).accept(model);
                },
                "1U",
                List.of(100)),
            new Case(
                "PK-31 a pod of the same name and address",
                List.of(3),
                model -> {
                  ObjectNode pod = SliceModel.podTree("g0-0001", "10.0.0.2");
                  Json.child(pod, "metadata").put("uid", "successor");
                  model.put(pod);
                },
                "1U",
                List.of(3)),
            new Case("ES-1 no pods: a placeholder", List.of(), _ -> {}, "1C", List.of(0)),
            new Case(
                "ES-5 scaled to zero",
                List.of(100, 100, 50),
                model -> model.pods.clear(),
                "1U2D",
                List.of(0)),
            new Case(
                "ES-31 a label of the Service",
                List.of(100, 100, 10),
                model ->
                    Json.child(model.serviceTree, "metadata").putObject("labels").put("a", "b"),
                "3U",
                List.of(100, 100, 10)),
            new Case(
                "ES-32 an annotation of the Service",
                List.of(10),
                model ->
                    Json.child(model.serviceTree, "metadata")
                        .putObject("annotations")
                        .put("a", "b"),
                "",
                List.of(10))));
    return cases;
  }

  /// Gives all slices the type `IP`, which no Service has.
  private static void retire(SliceModel model) {
    model.slices.replaceAll(
        slice ->
            new Slice(
                slice.metadata(),
                slice.generateName(),
                slice.annotations(),
                "IP",
                slice.endpoints(),
                slice.ports()));
  }

  @ParameterizedTest
  @MethodSource("cases")
  public void takesJustTheseWrites(Case row) {
    SliceModel model = model();
    assumeTrue(!model.isReal() || !row.name().startsWith("PK-21"), "a server refuses such types");
    for (int i = 0; i < row.before().size(); i++) {
      model.pods("g" + i, i, row.before().get(i));
      model.slices.add(model.stored(holding(model, "g" + i), model.decoded(), "slice-" + i));
    }
    assertThat(row.before().isEmpty() ? "" : model.sync()).as("nothing to do before").isEmpty();
    row.change().accept(model);
    assertThat(model.sync()).isEqualTo(row.writes());
    assertThat(model.sizes()).isEqualTo(row.after());
    if (!model.decoded().metadata().beingDeleted()) {
      assertThat(model.sync()).as("nothing more to do").isEmpty();
    }
  }

  /// A slice with just the pods of one group.
  private static SliceDraft holding(SliceModel model, String group) {
    SliceModel part = new SliceModel();
    model.pods.forEach(
        (name, pod) -> {
          if (name.startsWith(group + "-")) {
            part.pods.put(name, pod);
          }
        });
    part.most = 1000;
    part.sync();
    SliceDraft draft = SliceDraft.fresh("IPv4", List.of(new SlicePort("http", "TCP", 8080, "")));
    draft.endpoints().addAll(part.only().endpoints());
    return draft;
  }
}
