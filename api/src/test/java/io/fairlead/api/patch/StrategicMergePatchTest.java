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
    String two = "{'spec':{'ports':[{'port':443,'name':'https'},{'port':80,'name':'http'}]}}";
    return Stream.of(
        new Case(
            "a new item goes in front",
            SERVICE,
            "{'spec':{'ports':[{'port':80,'name':'http'}]}}",
            "{'spec':{'ports':[{'port':443,'name':'https'}]}}",
            two),
        new Case(
            "a known item keeps its place",
            SERVICE,
            two,
            "{'spec':{'ports':[{'port':80,'targetPort':9090}]}}",
            "{'spec':{'ports':[{'port':443,'name':'https'},"
                + "{'port':80,'name':'http','targetPort':9090}]}}"),
        new Case(
            "order as asked for",
            SERVICE,
            two,
            "{'spec':{'$setElementOrder/ports':[{'port':80},{'port':443}],"
                + "'ports':[{'port':443,'targetPort':8443}]}}",
            "{'spec':{'ports':[{'port':80,'name':'http'},"
                + "{'port':443,'name':'https','targetPort':8443}]}}"),
        new Case(
            "order alone",
            SERVICE,
            two,
            "{'spec':{'$setElementOrder/ports':[{'port':80},{'port':443}]}}",
            "{'spec':{'ports':[{'port':80,'name':'http'},{'port':443,'name':'https'}]}}"),
        new Case(
            "kubectl reorders and adds",
            SERVICE,
            two,
            "{'spec':{'$setElementOrder/ports':[{'port':443},{'port':8080},{'port':80}],"
                + "'ports':[{'name':'alt','port':8080}]}}",
            "{'spec':{'ports':[{'port':443,'name':'https'},{'name':'alt','port':8080},"
                + "{'port':80,'name':'http'}]}}"),
        new Case(
            "kubectl removes",
            SERVICE,
            two,
            "{'spec':{'$setElementOrder/ports':[{'port':443}],"
                + "'ports':[{'$patch':'delete','port':80}]}}",
            "{'spec':{'ports':[{'port':443,'name':'https'}]}}"),
        new Case(
            "order for a list that is not there yet",
            SERVICE,
            "{'spec':{}}",
            "{'spec':{'$setElementOrder/ports':[{'port':1},{'port':2}],"
                + "'ports':[{'port':1},{'port':2,'name':null}]}}",
            "{'spec':{'ports':[{'port':1},{'port':2}]}}"),
        new Case(
            "two protocols on one port number collide",
            SERVICE,
            two,
            "{'spec':{'$setElementOrder/ports':[{'port':53},{'port':53}],'ports':["
                + "{'name':'dns','port':53,'protocol':'UDP'},"
                + "{'name':'dns-tcp','port':53,'protocol':'TCP'}]}}",
            "{'spec':{'ports':[{'name':'dns-tcp','port':53,'protocol':'TCP'},"
                + "{'port':443,'name':'https'},{'port':80,'name':'http'}]}}"),
        new Case(
            "delete an item",
            SERVICE,
            two,
            "{'spec':{'ports':[{'port':443,'$patch':'delete'}]}}",
            "{'spec':{'ports':[{'port':80,'name':'http'}]}}"),
        new Case(
            "replace the list",
            SERVICE,
            two,
            "{'spec':{'ports':[{'$patch':'replace'},{'port':81,'name':'one'}]}}",
            "{'spec':{'ports':[{'port':81,'name':'one'}]}}"),
        new Case(
            "empty the list",
            SERVICE,
            two,
            "{'spec':{'ports':[{'$patch':'replace'}]}}",
            "{'spec':{'ports':[]}}"),
        new Case("null removes the list", SERVICE, two, "{'spec':{'ports':null}}", "{'spec':{}}"),
        new Case(
            "merge said aloud",
            SERVICE,
            two,
            "{'spec':{'$patch':'merge','ports':[{'port':80,'name':'web','$patch':'merge'}]}}",
            "{'spec':{'ports':[{'port':443,'name':'https'},{'port':80,'name':'web'}]}}"),
        new Case(
            "a map merges",
            SERVICE,
            "{'spec':{'selector':{'app':'web'}}}",
            "{'spec':{'selector':{'tier':'x'}}}",
            "{'spec':{'selector':{'app':'web','tier':'x'}}}"),
        new Case(
            "null removes a key of a map",
            SERVICE,
            "{'spec':{'selector':{'app':'web','tier':'x'}}}",
            "{'spec':{'selector':{'app':null}}}",
            "{'spec':{'selector':{'tier':'x'}}}"),
        new Case(
            "a map is replaced",
            SERVICE,
            "{'spec':{'selector':{'app':'web'}}}",
            "{'spec':{'selector':{'$patch':'replace','only':'this'}}}",
            "{'spec':{'selector':{'only':'this'}}}"),
        new Case(
            "a map is emptied",
            SERVICE,
            "{'spec':{'selector':{'app':'web'}}}",
            "{'spec':{'selector':{'$patch':'delete'}}}",
            "{'spec':{'selector':{}}}"),
        new Case(
            "a list of scalars without strategy is replaced",
            SERVICE,
            "{'spec':{'externalIPs':['1.1.1.1','2.2.2.2']}}",
            "{'spec':{'externalIPs':['3.3.3.3']}}",
            "{'spec':{'externalIPs':['3.3.3.3']}}"),
        new Case(
            "scalars form a set, new ones in front",
            SERVICE,
            "{'metadata':{'finalizers':['example.com/a']}}",
            "{'metadata':{'finalizers':['example.com/b']}}",
            "{'metadata':{'finalizers':['example.com/b','example.com/a']}}"),
        new Case(
            "a scalar is taken away",
            SERVICE,
            "{'metadata':{'finalizers':['example.com/b','example.com/a']}}",
            "{'metadata':{'$deleteFromPrimitiveList/finalizers':['example.com/a']}}",
            "{'metadata':{'finalizers':['example.com/b']}}"),
        new Case(
            "a scalar is taken away and the rest ordered",
            SERVICE,
            "{'metadata':{'finalizers':['a/b','a/c','a/a']}}",
            "{'metadata':{'$deleteFromPrimitiveList/finalizers':['a/a'],"
                + "'$setElementOrder/finalizers':['a/c','a/b']}}",
            "{'metadata':{'finalizers':['a/c','a/b']}}"),
        new Case(
            "unknown members merge like free JSON",
            SERVICE,
            "{'spec':{'x':{'a':1,'l':[1,2]}}}",
            "{'spec':{'x':{'b':2,'l':[3]},'y':{'$retainKeys':['z'],'z':1,'n':null}}}",
            "{'spec':{'x':{'a':1,'l':[3],'b':2},'y':{'z':1}}}"),
        new Case(
            "another type replaces",
            SERVICE,
            "{'spec':{'ports':'x','selector':[1]}}",
            "{'spec':{'ports':[{'port':1}],'selector':{'a':'b'}}}",
            "{'spec':{'ports':[{'port':1}],'selector':{'a':'b'}}}"));
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
        ServicePorts.warnings(current, patch, result);
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
    assertThat(ServicePorts.warnings(current, patch, result))
        .singleElement()
        .asString()
        .startsWith("spec.ports: port 53/UDP was dropped");
    ObjectNode replacing = object("{'spec':{'ports':[{'$patch':'replace'},{'port':1}]}}");
    assertThat(
            ServicePorts.warnings(
                current, replacing, StrategicMergePatch.apply(current, replacing, SERVICE)))
        .isEmpty();
    ObjectNode deleting = object("{'spec':{'ports':[{'$patch':'delete','port':53}]}}");
    assertThat(
            ServicePorts.warnings(
                current, deleting, StrategicMergePatch.apply(current, deleting, SERVICE)))
        .isEmpty();
  }

  private static StructType struct(String name) {
    return Schemas.kubernetes().struct("io.k8s.api." + name);
  }
}
