package io.fairlead.api.patch;

import static io.fairlead.api.patch.TestJson.json;
import static io.fairlead.api.patch.TestJson.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.status.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class StrategicMergePatchTest {
  private static final StructType SERVICE = struct("core.v1.Service");
  private static final StructType POD_SPEC = struct("core.v1.PodSpec");

  record Case(String name, StructType type, String current, String patch, String result) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> services() {
    return ServicePatchRows.all(SERVICE);
  }

  static Stream<Case> objects() {
    return Stream.of(
        new Case(
            "retainKeys drops the rest",
            struct("apps.v1.Deployment"),
            "{'spec':{'strategy':{'type':'RollingUpdate','rollingUpdate':{'maxSurge':1}}}}",
            "{'spec':{'strategy':{'$retainKeys':['type'],'type':'Recreate'}}}",
            "{'spec':{'strategy':{'type':'Recreate'}}}"),
        new Case(
            "one image changes, others and the order stay",
            POD_SPEC,
            "{'containers':[{'name':'a','image':'x:1','env':[{'name':'E','value':'1'}]},"
                + "{'name':'b','image':'y:1'}]}",
            "{'containers':[{'name':'b','image':'y:2'}]}",
            "{'containers':[{'name':'a','image':'x:1','env':[{'name':'E','value':'1'}]},"
                + "{'name':'b','image':'y:2'}]}"),
        new Case(
            "a replaced list may have two items of one key",
            struct("core.v1.Node"),
            "{'status':{'addresses':[{'type':'InternalIP','address':'192.0.2.9'}]}}",
            "{'status':{'addresses':[{'$patch':'replace'},"
                + "{'type':'InternalIP','address':'192.0.2.1'},"
                + "{'type':'InternalIP','address':'2001:db8::1'},"
                + "{'type':'Hostname','address':'a'}]}}",
            "{'status':{'addresses':[{'type':'InternalIP','address':'192.0.2.1'},"
                + "{'type':'InternalIP','address':'2001:db8::1'},"
                + "{'type':'Hostname','address':'a'}]}}"),
        new Case(
            "a volume changes its source",
            POD_SPEC,
            "{'volumes':[{'name':'v','emptyDir':{}},{'name':'w','emptyDir':{}}]}",
            "{'volumes':[{'$retainKeys':['name','configMap'],'name':'v','configMap':{'name':'c'}}]}",
            "{'volumes':[{'name':'v','configMap':{'name':'c'}},{'name':'w','emptyDir':{}}]}"),
        new Case(
            "lists inside items of lists",
            POD_SPEC,
            "{'containers':[{'name':'a','ports':[{'containerPort':80,'name':'http'}],"
                + "'args':['1','2']}]}",
            "{'containers':[{'name':'a','ports':[{'containerPort':80,'hostPort':8080}],"
                + "'args':['3']}]}",
            "{'containers':[{'name':'a','ports':[{'containerPort':80,'name':'http',"
                + "'hostPort':8080}],'args':['3']}]}"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"services", "objects"})
  void merges(Case row) {
    ObjectNode current = object(row.current());
    ObjectNode patch = object(row.patch());
    assertThat(StrategicMergePatch.apply(current, patch, row.type())).isEqualTo(json(row.result()));
    assertThat(current).isEqualTo(json(row.current()));
    assertThat(patch).isEqualTo(json(row.patch()));
  }

  record ListCase(String struct, String list, String key) {
    @Override
    public String toString() {
      return struct + " " + list + (key.isEmpty() ? " is replaced" : " merges by " + key);
    }
  }

  /// Every list of the specification's table.
  static Stream<ListCase> lists() {
    return Stream.of(
        new ListCase("core.v1.ServiceSpec", "ports", "port"),
        new ListCase("core.v1.PodSpec", "containers", "name"),
        new ListCase("core.v1.PodSpec", "initContainers", "name"),
        new ListCase("core.v1.PodSpec", "ephemeralContainers", "name"),
        new ListCase("core.v1.Container", "env", "name"),
        new ListCase("core.v1.EphemeralContainer", "env", "name"),
        new ListCase("core.v1.PodSpec", "imagePullSecrets", "name"),
        new ListCase("core.v1.PodSpec", "schedulingGates", "name"),
        new ListCase("core.v1.ServiceAccount", "secrets", "name"),
        new ListCase("core.v1.Container", "ports", "containerPort"),
        new ListCase("core.v1.Container", "volumeMounts", "mountPath"),
        new ListCase("core.v1.Container", "volumeDevices", "devicePath"),
        new ListCase("core.v1.PodSpec", "volumes", "name"),
        new ListCase("core.v1.PodSpec", "resourceClaims", "name"),
        new ListCase("core.v1.PodSpec", "hostAliases", "ip"),
        new ListCase("core.v1.PodStatus", "podIPs", "ip"),
        new ListCase("core.v1.PodStatus", "hostIPs", "ip"),
        new ListCase("core.v1.PodSpec", "topologySpreadConstraints", "topologyKey"),
        new ListCase("core.v1.PodStatus", "conditions", "type"),
        new ListCase("core.v1.ServiceStatus", "conditions", "type"),
        new ListCase("core.v1.NodeStatus", "conditions", "type"),
        new ListCase("core.v1.NamespaceStatus", "conditions", "type"),
        new ListCase("apps.v1.DeploymentStatus", "conditions", "type"),
        new ListCase("apps.v1.ReplicaSetStatus", "conditions", "type"),
        new ListCase("apps.v1.StatefulSetStatus", "conditions", "type"),
        new ListCase("apps.v1.DaemonSetStatus", "conditions", "type"),
        new ListCase("batch.v1.JobStatus", "conditions", "type"),
        new ListCase("policy.v1.PodDisruptionBudgetStatus", "conditions", "type"),
        new ListCase("core.v1.NodeStatus", "addresses", "type"),
        new ListCase("core.v1.PodSpec", "tolerations", ""),
        new ListCase("core.v1.Container", "envFrom", ""),
        new ListCase("core.v1.Endpoints", "subsets", ""),
        new ListCase("discovery.v1.EndpointSlice", "endpoints", ""),
        new ListCase("discovery.v1.EndpointSlice", "ports", ""),
        new ListCase("networking.v1.NetworkPolicySpec", "ingress", ""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("lists")
  void listsOfTheTable(ListCase row) {
    String key = row.key().isEmpty() ? "name" : row.key();
    ObjectNode current = Json.object();
    current.putArray(row.list()).addObject().put(key, "one").put("was", "there");
    ObjectNode patch = Json.object();
    ArrayNode changes = patch.putArray(row.list());
    changes.addObject().put(key, "one").put("came", "later");
    changes.addObject().put(key, "two");
    ObjectNode merged = StrategicMergePatch.apply(current, patch, struct(row.struct()));
    JsonNode first = merged.path(row.list()).get(0);
    assertThat(merged.path(row.list())).hasSize(2);
    assertThat(first.has("came")).isTrue();
    assertThat(first.has("was")).isEqualTo(!row.key().isEmpty());
  }

  @Test
  void ownersMergeByUidAndPodCidrsAsASet() {
    assertThat(
            StrategicMergePatch.apply(
                object("{'metadata':{'ownerReferences':[{'uid':'1','name':'a'}]}}"),
                object("{'metadata':{'ownerReferences':[{'uid':'1','kind':'K'}]}}"),
                SERVICE))
        .isEqualTo(json("{'metadata':{'ownerReferences':[{'uid':'1','name':'a','kind':'K'}]}}"));
    assertThat(
            StrategicMergePatch.apply(
                object("{'podCIDRs':['10.0.0.0/24']}"),
                object("{'podCIDRs':['fd00::/64','10.0.0.0/24']}"),
                struct("core.v1.NodeSpec")))
        .isEqualTo(json("{'podCIDRs':['fd00::/64','10.0.0.0/24']}"));
  }

  record Refusal(String name, String patch, int code, String message) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Refusal> refusals() {
    return Stream.of(
        new Refusal(
            "item without merge key",
            "{'spec':{'ports':[{'name':'x'}]}}",
            422,
            "map: map[name:x] does not contain declared merge key: port"),
        new Refusal(
            "deleted item without merge key",
            "{'spec':{'ports':[{'$patch':'delete'}]}}",
            422,
            "map: map[$patch:delete] does not contain declared merge key: port"),
        new Refusal(
            "unknown directive",
            "{'spec':{'$patch':'frob'}}",
            500,
            "unknown patch type: frob in map: map[$patch:frob]"),
        new Refusal(
            "unknown directive in an item",
            "{'spec':{'ports':[{'$patch':'frob','port':1}]}}",
            500,
            "unknown patch type: frob in map: map[$patch:frob port:1]"),
        new Refusal(
            "retainKeys without the keys of the patch",
            "{'spec':{'$retainKeys':['type'],'clusterIP':'x'}}",
            400,
            "Invalid patch format of retainKeys"),
        new Refusal(
            "order that is no list",
            "{'spec':{'$setElementOrder/ports':3}}",
            400,
            "Invalid patch format of setElementOrder list"),
        new Refusal(
            "deletions that are no list",
            "{'metadata':{'$deleteFromPrimitiveList/finalizers':'x'}}",
            400,
            "Invalid patch format of primitive list"),
        new Refusal(
            "items in another order than asked for",
            "{'spec':{'$setElementOrder/ports':[{'port':1},{'port':2}],"
                + "'ports':[{'port':2},{'port':1}]}}",
            422,
            "The order in patch list:\n[map[port:2] map[port:1]]\n doesn't match $setElementOrder"
                + " list:\n[map[port:1] map[port:2]]\n"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void refused(Refusal row) {
    ObjectNode current =
        object("{'metadata':{'finalizers':['a/b']},'spec':{'ports':[{'port':80}]}}");
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> StrategicMergePatch.apply(current, object(row.patch()), SERVICE))
        .withMessage(row.message())
        .satisfies(e -> assertThat(e.status().code()).isEqualTo(row.code()));
  }

  @Test
  void aFullOrderIsTheOrderOfTheResult() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(41);
    for (int i = 0; i < 2_000; i++) {
      ObjectNode current = Json.object();
      ArrayNode ports = current.putObject("spec").putArray("ports");
      List<Integer> numbers = new ArrayList<>();
      for (int port = 1; port <= 6; port++) {
        if (random.nextBoolean()) {
          numbers.add(port);
          ports.addObject().put("port", port);
        }
      }
      java.util.Collections.shuffle(numbers, new java.util.Random(i));
      ObjectNode patch = Json.object();
      ObjectNode spec = patch.putObject("spec");
      ArrayNode order = spec.putArray("$setElementOrder/ports");
      ArrayNode changes = spec.putArray("ports");
      for (int port : numbers) {
        order.addObject().put("port", port);
        if (random.nextBoolean()) {
          changes.addObject().put("port", port).put("name", "n");
        }
      }
      JsonNode result =
          StrategicMergePatch.apply(current, patch, SERVICE).path("spec").path("ports");
      List<Integer> found = new ArrayList<>();
      result.forEach(item -> found.add(item.path("port").intValue()));
      assertThat(found).isEqualTo(numbers);
    }
  }

  @Test
  void anyPatchAppliesOrIsRefusedWithATypedError() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(43);
    String[] keys = {
      "spec",
      "metadata",
      "ports",
      "port",
      "finalizers",
      "selector",
      "$patch",
      "$retainKeys",
      "$setElementOrder/ports",
      "$setElementOrder/finalizers",
      "$deleteFromPrimitiveList/finalizers",
      "$setElementOrder/",
      "$setElementOrder/spec"
    };
    for (int i = 0; i < 30_000; i++) {
      ObjectNode current = tree(random, keys, 4);
      ObjectNode patch = tree(random, keys, 4);
      try {
        ObjectNode result = StrategicMergePatch.apply(current, patch, SERVICE);
        assertThat(result).isNotNull();
        DroppedServicePortCheck.warnings(current, patch, result);
      } catch (ApiException refused) {
        assertThat(refused.status().code()).isIn(400, 422, 500);
      }
    }
  }

  private static ObjectNode tree(RandomGenerator random, String[] keys, int depth) {
    ObjectNode object = Json.object();
    for (int size = random.nextInt(4); size > 0; size--) {
      object.set(keys[random.nextInt(keys.length)], node(random, keys, depth - 1));
    }
    return object;
  }

  private static JsonNode node(RandomGenerator random, String[] keys, int depth) {
    int choice = random.nextInt(depth > 0 ? 8 : 4);
    if (choice < 4) {
      return json(new String[] {"null", "1", "'delete'", "'replace'"}[choice]);
    }
    if (choice < 6) {
      return tree(random, keys, depth);
    }
    ArrayNode list = Json.array();
    for (int size = random.nextInt(3); size > 0; size--) {
      list.add(node(random, keys, depth - 1));
    }
    return list;
  }

  @Test
  void lostPortsAreNamed() {
    ObjectNode current = object("{'spec':{'ports':[{'port':53,'protocol':'UDP'}]}}");
    ObjectNode patch = object("{'spec':{'ports':[{'port':53,'protocol':'TCP'}]}}");
    ObjectNode result = StrategicMergePatch.apply(current, patch, SERVICE);
    assertThat(DroppedServicePortCheck.warnings(current, patch, result))
        .singleElement()
        .asString()
        .startsWith("spec.ports: port 53/UDP was dropped");
    ObjectNode replacing = object("{'spec':{'ports':[{'$patch':'replace'},{'port':1}]}}");
    assertThat(
            DroppedServicePortCheck.warnings(
                current, replacing, StrategicMergePatch.apply(current, replacing, SERVICE)))
        .isEmpty();
    ObjectNode deleting = object("{'spec':{'ports':[{'$patch':'delete','port':53}]}}");
    assertThat(
            DroppedServicePortCheck.warnings(
                current, deleting, StrategicMergePatch.apply(current, deleting, SERVICE)))
        .isEmpty();
  }

  private static StructType struct(String name) {
    return Schemas.kubernetes().struct("io.k8s.api." + name);
  }
}
