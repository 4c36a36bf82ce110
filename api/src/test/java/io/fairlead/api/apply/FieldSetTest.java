package io.fairlead.api.apply;

import static io.fairlead.api.apply.FakeServiceApi.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class FieldSetTest {
  private final RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(61);

  @Test
  void readsAndWritesFieldsV1() {
    ObjectNode fields =
        json(
            "{'f:metadata':{'f:finalizers':{'.':{},'v:\\'a/b\\'':{}}},'f:spec':{'f:ports':{"
                + "'k:{\\'port\\':80,\\'protocol\\':\\'TCP\\'}':{'.':{},'f:port':{}}},"
                + "'f:x':{'i:3':{}}}}");
    FieldSet set = FieldSet.parse(fields);
    assertThat(set).isNotNull();
    assertThat(set == null ? null : set.toJson()).isEqualTo(fields);
  }

  @Test
  void keysAreSortedWhenRead() {
    FieldSet one = FieldSet.parse(json("{'k:{\\'b\\':1,\\'a\\':2}':{}}"));
    FieldSet two = FieldSet.parse(json("{'k:{\\'a\\': 2, \\'b\\': 1}':{}}"));
    assertThat(one).isEqualTo(two);
  }

  @ParameterizedTest(name = "{0} is refused")
  @ValueSource(
      strings = {
        "{'x':{}}",
        "{'q:a':{}}",
        "{'k:1':{}}",
        "{'k:{':{}}",
        "{'v:':{}}",
        "{'i:x':{}}",
        "{'f:a':1}"
      })
  void malformed(String fields) {
    assertThat(FieldSet.parse(json(fields))).isNull();
  }

  /// The algebra against plain sets of path texts.
  @Test
  void algebraAgreesWithPlainSets() {
    for (int i = 0; i < 3_000; i++) {
      FieldSet one = randomSet();
      FieldSet two = randomSet();
      Set<String> left = texts(one);
      Set<String> right = texts(two);
      assertThat(texts(one.union(two))).isEqualTo(union(left, right));
      assertThat(texts(one.minus(two))).isEqualTo(minus(left, right));
      assertThat(texts(one.intersection(two))).isEqualTo(minus(left, minus(left, right)));
      Set<String> outside = new HashSet<>(left);
      outside.removeIf(
          path -> right.stream().anyMatch(top -> path.equals(top) || path.startsWith(top + ".")));
      assertThat(texts(one.minusSubtrees(two))).isEqualTo(outside);
      assertThat(FieldSet.parse(one.toJson())).isEqualTo(one);
    }
  }

  private FieldSet randomSet() {
    FieldSet set = new FieldSet();
    for (int size = random.nextInt(6); size > 0; size--) {
      FieldSet at = set;
      for (int depth = 1 + random.nextInt(3); depth > 0; depth--) {
        at = at.child(PathElement.field(String.valueOf((char) ('a' + random.nextInt(3)))));
      }
      at.own();
    }
    return set;
  }

  private static Set<String> texts(FieldSet set) {
    Set<String> texts = new HashSet<>();
    set.forEach(
        path -> texts.add(String.join("", path.stream().map(PathElement::toString).toList())));
    return texts;
  }

  private static Set<String> union(Set<String> left, Set<String> right) {
    Set<String> union = new HashSet<>(left);
    union.addAll(right);
    return union;
  }

  private static Set<String> minus(Set<String> left, Set<String> right) {
    Set<String> rest = new HashSet<>(left);
    rest.removeAll(right);
    return rest;
  }

  /// Random histories: an apply repeated changes nothing, and what was applied is there and owned.
  @Test
  void applyTwiceIsApplyOnce() {
    for (int i = 0; i < 500; i++) {
      ObjectNode live = null;
      for (int step = 0; step < 4; step++) {
        ObjectNode config = service();
        FieldManager manager =
            new FieldManager("m" + random.nextInt(2), "v1", "", Instant.ofEpochSecond(step));
        live = ServerSideApply.apply(live, config, FakeServiceApi.SERVICE, manager, true);
        FieldManager later = new FieldManager(manager.name(), "v1", "", Instant.MAX);
        assertThat(ServerSideApply.apply(live, config, FakeServiceApi.SERVICE, later, false))
            .isEqualTo(live);
        assertThat(ServerSideApply.apply(live, config, FakeServiceApi.SERVICE, later, true))
            .isEqualTo(live);
      }
    }
  }

  private ObjectNode service() {
    ObjectNode object = json("{'apiVersion':'v1','kind':'Service','metadata':{'name':'a'}}");
    if (random.nextBoolean()) {
      ObjectNode labels = Json.child(Json.child(object, "metadata"), "labels");
      labels.put("l" + random.nextInt(2), "v" + random.nextInt(2));
    }
    ObjectNode spec = object.putObject("spec");
    List<Integer> numbers = new ArrayList<>(List.of(1, 2, 3));
    ArrayNode ports = spec.putArray("ports");
    while (!numbers.isEmpty() && random.nextInt(4) > 0) {
      ObjectNode port = ports.addObject();
      port.put("port", numbers.remove(random.nextInt(numbers.size())));
      if (random.nextBoolean()) {
        port.put("name", "n" + random.nextInt(2));
      }
      if (random.nextBoolean()) {
        port.put("protocol", random.nextBoolean() ? "TCP" : "UDP");
      }
    }
    if (random.nextBoolean()) {
      spec.putObject("selector").put("app", "a" + random.nextInt(2));
    }
    return object;
  }

  /// Any tree may be applied, or is refused with a typed error.
  @Test
  void garbageIsRefusedWithATypedError() {
    for (int i = 0; i < 20_000; i++) {
      ObjectNode config = (ObjectNode) garbage(4, true);
      ObjectNode live = (ObjectNode) garbage(4, true);
      FieldManager manager = new FieldManager("m", "v1", "", Instant.EPOCH);
      try {
        ServerSideApply.apply(live, config, FakeServiceApi.SERVICE, manager, random.nextBoolean());
      } catch (ApiException refused) {
        assertThat(refused.status().code()).isIn(400, 409, 500);
      }
      ManagedFields.afterUpdate(live, config, FakeServiceApi.SERVICE, manager);
      ManagedFields.afterUpdate(null, live, FakeServiceApi.SERVICE, manager);
    }
  }

  private JsonNode garbage(int depth, boolean object) {
    int choice = object ? 5 : random.nextInt(depth > 0 ? 7 : 4);
    if (choice < 4) {
      return json("{'a':[null,1,'x',true]}").path("a").get(choice);
    }
    if (choice < 6) {
      ObjectNode node = Json.object();
      String[] keys = {
        "metadata",
        "spec",
        "ports",
        "port",
        "protocol",
        "name",
        "finalizers",
        "managedFields",
        "operation",
        "fieldsV1",
        "f:spec",
        "k:{\"port\":1}",
        "manager",
        "selector",
        "status"
      };
      for (int size = random.nextInt(4); size > 0; size--) {
        node.set(keys[random.nextInt(keys.length)], garbage(depth - 1, false));
      }
      return node;
    }
    ArrayNode list = Json.array();
    for (int size = random.nextInt(3); size > 0; size--) {
      list.add(garbage(depth - 1, false));
    }
    return list;
  }
}
