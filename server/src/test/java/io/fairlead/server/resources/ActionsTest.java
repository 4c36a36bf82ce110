package io.fairlead.server.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.Subresource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// What is done to objects beside writing them, and questions that are answered at once.
class ActionsTest {
  private final FakeContext context = new FakeContext();
  private final ObjectHolder pods = new ObjectHolder();
  private final ObjectHolder budgets = new ObjectHolder();

  /// Holds one object as the machinery would.
  private final class ObjectHolder implements Subresource.ObjectWriter {
    @Nullable ObjectNode object;
    @Nullable ObjectHolder related;
    final List<String> deleted = new ArrayList<>();

    @Override
    public @Nullable ObjectNode read(String name) {
      return object;
    }

    @Override
    public ObjectNode update(String name, UnaryOperator<ObjectNode> change) {
      ObjectNode there = object;
      if (there == null) {
        throw ApiException.notFound("", "pods", name);
      }
      object = change.apply(there.deepCopy());
      return there;
    }

    @Override
    public ObjectNode delete(String name, ObjectNode deleteOptions) {
      deleted.add(name);
      return Json.object();
    }

    /// A copy that is thrown away.
    @Override
    public Subresource.ObjectWriter dryRun() {
      ObjectHolder rehearsal = new ObjectHolder();
      rehearsal.object = object;
      rehearsal.related = new ObjectHolder();
      rehearsal.related.object = budgets.object;
      return rehearsal;
    }

    @Override
    public Subresource.ObjectWriter of(String group, String plural, String namespace) {
      return related == null ? budgets : related;
    }
  }

  private Subresource.Answer post(String plural, String action, String body) {
    for (Subresource subresource : ResourcePipeline.of("v1", plural).subresources()) {
      if (subresource instanceof Subresource.Action found && found.name().equals(action)) {
        return found.post("a", ResourcePipeline.json(body), context, pods);
      }
    }
    throw new AssertionError("no action " + action);
  }

  @Test
  void bindingSetsTheNodeOnce() {
    pods.object = ResourcePipeline.json("{metadata:{name:'a'},spec:{},status:{phase:'Pending'}}");
    assertThat(post("pods", "binding", "{target:{kind:'Node',name:'n1'}}").code()).isEqualTo(201);
    assertThat(pods.object.at("/spec/nodeName").asString("")).isEqualTo("n1");
    assertThat(pods.object.at("/status/conditions/0/type").asString("")).isEqualTo("PodScheduled");
    assertThatThrownBy(() -> post("pods", "binding", "{target:{kind:'Node',name:'n2'}}"))
        .hasMessage(
            "Operation cannot be fulfilled on pods/binding \"a\": pod a is already assigned to node"
                + " \"n1\"");
  }

  @Test
  void bindingNeedsANode() {
    assertThatThrownBy(() -> post("pods", "binding", "{target:{}}"))
        .hasMessage("Binding \"a\" is invalid: target.name: Required value");
  }

  @Test
  void evictionWaitsForABudgetThatIsNotCountedYet() {
    runningPod();
    budget("{}");
    assertThatThrownBy(() -> post("pods", "eviction", "{}"))
        .isInstanceOfSatisfying(
            ApiException.class,
            refused -> {
              assertThat(refused.status().code()).isEqualTo(429);
              assertThat(refused.status().retryAfterSeconds()).isEqualTo(10);
            });
    assertThat(pods.deleted).isEmpty();
  }

  @Test
  void evictionDrawsOnTheBudget() {
    runningPod();
    budget("{observedGeneration:1,disruptionsAllowed:1}");
    assertThat(post("pods", "eviction", "{}").code()).isEqualTo(201);
    assertThat(pods.deleted).containsExactly("a");
    ObjectNode left = java.util.Objects.requireNonNull(budgets.object);
    assertThat(left.at("/status/disruptionsAllowed").asInt(-1)).isZero();
    assertThat(left.at("/status/disruptedPods/a").isString()).isTrue();
  }

  @Test
  void aRehearsalOfAnEvictionLeavesTheBudgetAlone() {
    runningPod();
    budget("{observedGeneration:1,disruptionsAllowed:1}");
    ObjectNode before = java.util.Objects.requireNonNull(budgets.object).deepCopy();
    assertThat(post("pods", "eviction", "{deleteOptions:{dryRun:['All']}}").code()).isEqualTo(201);
    assertThat(budgets.object).isEqualTo(before);
    assertThat(pods.deleted).isEmpty();
  }

  @Test
  void evictionIsRefusedWhenNothingMayGo() {
    runningPod();
    budget("{observedGeneration:1,disruptionsAllowed:0,desiredHealthy:2,currentHealthy:2}");
    assertThatThrownBy(() -> post("pods", "eviction", "{}"))
        .hasMessage("Cannot evict pod as it would violate the pod's disruption budget.");
  }

  @Test
  void aPodThatIsDoneMayAlwaysGo() {
    runningPod();
    budget("{}");
    Json.child(java.util.Objects.requireNonNull(pods.object), "status").put("phase", "Succeeded");
    assertThat(post("pods", "eviction", "{}").code()).isEqualTo(201);
  }

  @Test
  void tokensSayForWhomAndHowLong() {
    pods.object = ResourcePipeline.json("{metadata:{name:'a',uid:'u1'}}");
    ObjectNode answer =
        post("serviceaccounts", "token", "{spec:{expirationSeconds:600,audiences:['x']}}").body();
    assertThat(answer.at("/status/token").asString("")).isEqualTo("token-of-a");
    assertThat(answer.at("/status/expirationTimestamp").asString(""))
        .isEqualTo("2026-01-02T03:14:05Z");
    assertThat(answer.at("/metadata/uid").asString("")).isEqualTo("u1");
    assertThatThrownBy(() -> post("serviceaccounts", "token", "{spec:{expirationSeconds:300}}"))
        .hasMessage(
            "TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid"
                + " value: 300: may not specify a duration less than 10 minutes");
  }

  @Test
  void accessReviewsShowTheDecision() {
    context.decision = new Authorizer.Decision(true, "because");
    ObjectNode answer =
        ask(
            "authorization.k8s.io/v1",
            "selfsubjectaccessreviews",
            "{spec:{resourceAttributes:{verb:'get',resource:'pods'}}}");
    assertThat(SortedJson.text(answer.path("status")))
        .isEqualTo("{allowed=true, reason='because'}");
    assertThatThrownBy(() -> ask("authorization.k8s.io/v1", "subjectaccessreviews", "{spec:{}}"))
        .hasMessageContaining("at least one of user or group must be specified");
    assertThatThrownBy(() -> ask("authorization.k8s.io/v1", "selfsubjectrulesreviews", "{spec:{}}"))
        .hasMessage("no namespace on request");
  }

  @Test
  void tokenReviewsTellWhoseTokenItIs() {
    ObjectNode good = ask("authentication.k8s.io/v1", "tokenreviews", "{spec:{token:'good'}}");
    assertThat(good.at("/status/authenticated").asBoolean(false)).isTrue();
    assertThat(good.at("/status/user/username").asString("")).isEqualTo("bob");
    ObjectNode bad = ask("authentication.k8s.io/v1", "tokenreviews", "{spec:{token:'bad'}}");
    assertThat(bad.at("/status/authenticated").asBoolean(false)).isFalse();
    assertThat(bad.at("/status/error").asString("")).isEqualTo("Unauthorized");
  }

  @Test
  void eventsHaveTwoShapesOfOneContent() {
    Resource shape = ResourcePipeline.of("events.k8s.io/v1", "events");
    ObjectNode stored =
        ResourcePipeline.json(
            "{kind:'Event',apiVersion:'v1',metadata:{name:'a'},involvedObject:{kind:'Pod'},"
                + "message:'text',source:{component:'k'},count:2,reportingComponent:'',"
                + "reportingInstance:''}");
    ObjectNode shown = shape.fromStored(stored);
    assertThat(SortedJson.text(shown))
        .isEqualTo(
            "{apiVersion='events.k8s.io/v1', deprecatedCount=2, deprecatedSource={component='k'},"
                + " kind='Event', metadata={name='a'}, note='text', regarding={kind='Pod'}}");
    assertThat(SortedJson.text(shape.toStored(shown))).isEqualTo(SortedJson.text(stored));
  }

  @Test
  void autoscalersHaveTwoShapesOfOneContent() {
    Resource shape = ResourcePipeline.of("autoscaling/v1", "horizontalpodautoscalers");
    ObjectNode stored =
        ResourcePipeline.json(
            "{kind:'HorizontalPodAutoscaler',apiVersion:'autoscaling/v2',metadata:{name:'a',"
                + "annotations:{}},spec:{maxReplicas:3,metrics:[{type:'Resource',resource:{name:"
                + "'cpu',target:{type:'Utilization',averageUtilization:50}}},{type:'Pods'}]}}");
    ObjectNode shown = shape.fromStored(stored);
    assertThat(shown.at("/spec/targetCPUUtilizationPercentage").asInt(0)).isEqualTo(50);
    assertThat(SortedJson.text(shape.toStored(shown))).isEqualTo(SortedJson.text(stored));
  }

  @Test
  void protectedNamespacesStay() {
    assertThatThrownBy(
            () ->
                ResourcePipeline.of("v1", "namespaces")
                    .checkDelete(ResourcePipeline.json("{metadata:{name:'kube-system'}}"), context))
        .hasMessage("namespaces \"kube-system\" is forbidden: this namespace may not be deleted");
  }

  @Test
  void podsGetTimeToEnd() {
    Resource resource = ResourcePipeline.of("v1", "pods");
    ObjectNode bound =
        ResourcePipeline.json(
            "{spec:{nodeName:'n',terminationGracePeriodSeconds:30},status:{phase:'Running'}}");
    assertThat(resource.graceSeconds(bound, null)).isEqualTo(30);
    assertThat(resource.graceSeconds(bound, 5L)).isEqualTo(5);
    assertThat(resource.graceSeconds(bound, -3L)).isEqualTo(1);
    assertThat(resource.graceSeconds(ResourcePipeline.json("{spec:{}}"), null)).isZero();
  }

  @Test
  void nobodyGrantsMoreThanHeHolds() {
    context.decision = new Authorizer.Decision(false, "");
    ObjectNode role =
        ResourcePipeline.json(
            "{metadata:{name:'r'},rules:[{apiGroups:[''],resources:['pods'],verbs:['delete']}]}");
    assertThatThrownBy(
            () ->
                ResourcePipeline.of("rbac.authorization.k8s.io/v1", "roles")
                    .admit(role, null, context))
        .hasMessageContaining("is attempting to grant RBAC permissions not currently held");
  }

  @Test
  void selectableFieldsAreTheKnownOnes() {
    ObjectNode empty = Json.object();
    assertThat(ResourcePipeline.of("v1", "pods").selectableFields(empty))
        .containsOnlyKeys(
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "spec.hostNetwork",
            "status.phase",
            "status.podIP",
            "status.podIPs",
            "status.nominatedNodeName");
    assertThat(ResourcePipeline.of("v1", "services").selectableFields(empty))
        .containsOnlyKeys("spec.clusterIP", "spec.type");
    assertThat(ResourcePipeline.of("v1", "nodes").selectableFields(empty))
        .containsOnlyKeys("spec.unschedulable");
    assertThat(ResourcePipeline.of("v1", "secrets").selectableFields(empty))
        .containsOnlyKeys("type");
    assertThat(ResourcePipeline.of("v1", "namespaces").selectableFields(empty))
        .containsOnlyKeys("status.phase");
    assertThat(ResourcePipeline.of("v1", "events").selectableFields(empty))
        .containsKeys("involvedObject.uid", "reason", "reportingComponent", "source", "type");
    assertThat(ResourcePipeline.of("batch/v1", "jobs").selectableFields(empty))
        .containsOnlyKeys("status.successful");
  }

  @Test
  void scaleShowsAndWritesReplicas() {
    Subresource.View scale =
        (Subresource.View)
            ResourcePipeline.of("apps/v1", "deployments").subresources().stream()
                .filter(sub -> sub.name().equals("scale"))
                .findFirst()
                .orElseThrow();
    ObjectNode deployment =
        ResourcePipeline.json(
            "{metadata:{name:'a'},spec:{replicas:0,selector:{matchLabels:{app:'web'}}}}");
    assertThat(SortedJson.text(scale.view(deployment).path("status")))
        .isEqualTo("{replicas=0, selector='app=web'}");
    scale.write(deployment, ResourcePipeline.json("{spec:{replicas:2}}"), context);
    assertThat(deployment.at("/spec/replicas").asInt(0)).isEqualTo(2);
    assertThatThrownBy(
            () -> scale.write(deployment, ResourcePipeline.json("{spec:{replicas:-1}}"), context))
        .hasMessage(
            "Scale.autoscaling \"a\" is invalid: spec.replicas: Invalid value: -1: must be greater"
                + " than or equal to 0");
  }

  private ObjectNode ask(String version, String plural, String body) {
    ObjectNode answer =
        ResourcePipeline.of(version, plural).answer(ResourcePipeline.json(body), context);
    return java.util.Objects.requireNonNull(answer);
  }

  private void runningPod() {
    pods.object =
        ResourcePipeline.json(
            "{metadata:{name:'a',labels:{app:'x'}},status:{phase:'Running',conditions:[{type:'Ready',"
                + "status:'True'}]}}");
  }

  private void budget(String status) {
    ObjectNode budget =
        ResourcePipeline.json(
            "{metadata:{name:'p',generation:1},spec:{selector:{matchLabels:{app:'x'}}}}");
    budget.set("status", ResourcePipeline.json(status));
    context.put("policy", "poddisruptionbudgets", "ns", budget);
    budgets.object = budget;
  }
}
