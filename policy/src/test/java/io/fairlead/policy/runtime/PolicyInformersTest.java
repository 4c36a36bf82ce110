package io.fairlead.policy.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.policy.core.PolicyPod;
import io.fairlead.policy.core.World;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Which pods a node asks the API for, with and without policies.
class PolicyInformersTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final ObjectKey POLICY = new ObjectKey("x", "p");

  private final FakeApi api =
      new FakeApi(
          List.of(
              ResourceType.PODS,
              ResourceType.NAMESPACES,
              ResourceType.NODES,
              PolicyInformers.POLICIES));
  private final Client client = new Client(api);
  private final World world = new World();
  private final AtomicLong nanos = new AtomicLong();
  private final PolicyInformers informers =
      new PolicyInformers(
          client, "node1", new TimingSources(nanos::get, Pacer.system(), new Random(1)));
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final Set<String> told = new ConcurrentSkipListSet<>();
  private final AtomicInteger allKnown = new AtomicInteger();

  @BeforeEach
  void start() {
    api.intercept(
        request -> {
          if (request.path().equals("/api/v1/pods")) {
            asked.add(request.query().getOrDefault("fieldSelector", "all"));
          }
        });
    client.create(ResourceType.NAMESPACES, "", named("x"));
    client.create(ResourceType.NAMESPACES, "", named("y"));
    client.create(ResourceType.NODES, "", named("node1"));
    create("x/a");
    create("x/c");
    informers.onPodChange(
        ChangeHandler.of(pod -> told.add(pod.key().toString()), pod -> told.remove(key(pod))));
    informers.onAllKnown(allKnown::incrementAndGet);
    informers.start();
  }

  @AfterEach
  void close() {
    informers.close();
    client.close();
  }

  private static ObjectNode named(String name) {
    ObjectNode object = Json.object();
    object.putObject("metadata").put("name", name);
    return object;
  }

  private static String key(PolicyPod pod) {
    return pod.key().toString();
  }

  private void create(String pod) {
    client.create(ResourceType.PODS, pod.split("/")[0], world.pod(pod));
  }

  private void policy() {
    ObjectNode policy = Json.object();
    policy.putObject("metadata").put("namespace", "x").put("name", "p");
    policy.putObject("spec").putObject("podSelector");
    client.create(PolicyInformers.POLICIES, "x", policy);
    await().atMost(LIMIT).until(() -> informers.policies.list().size() == 1);
  }

  private void deletePolicy() {
    client.delete(PolicyInformers.POLICIES, POLICY, DeleteOptions.DEFAULT);
    await().atMost(LIMIT).until(() -> informers.policies.list().isEmpty());
  }

  private List<String> pods() {
    return informers.pods().stream().map(PolicyInformersTest::key).sorted().toList();
  }

  @Test
  void withoutPoliciesOnlyThePodsOfTheNodeAreAskedFor() throws InterruptedException {
    int first = informers.awaitSync();
    create("y/c");
    create("x/b");
    await().atMost(LIMIT).until(() -> told.contains("x/b"));
    assertThat(pods()).containsExactly("x/a", "x/b");
    assertThat(told).containsExactly("x/a", "x/b");
    assertThat(informers.knowsAllPods()).isFalse();
    assertThat(informers.followPods()).isEqualTo(first);
    assertThat(asked).containsOnly("spec.nodeName=node1");
  }

  @Test
  void theFirstPolicyBringsAllPodsAndIsInForceWhenTheyAreKnown() throws InterruptedException {
    int first = informers.awaitSync();
    policy();
    assertThat(informers.policiesInForce()).as("x/c is not known").isEmpty();
    int all = informers.followPods();
    assertThat(all).isNotEqualTo(first);
    assertThat(informers.awaitSync()).isEqualTo(all);
    assertThat(pods()).containsExactly("x/a", "x/c");
    assertThat(told).containsExactly("x/a", "x/c");
    assertThat(informers.policiesInForce()).hasSize(1);
    assertThat(informers.versions().get("pods")).isNotEmpty();
    assertThat(informers.awaitSync()).isEqualTo(all);
    assertThat(allKnown).hasValue(1);
  }

  @Test
  void wherePoliciesAreAllPodsAreAskedForAtOnce() throws InterruptedException {
    policy();
    int _ = informers.awaitSync();
    assertThat(asked).containsOnly("all");
    assertThat(informers.policiesInForce()).hasSize(1);
    assertThat(allKnown).as("nothing was kept back").hasValue(0);
  }

  @Test
  void besideTheApiServerAllPodsAreFollowedWithoutPoliciesToo() throws InterruptedException {
    try (PolicyInformers beside =
        new PolicyInformers(
            client, "node1", new TimingSources(nanos::get, Pacer.system(), new Random(1)))) {
      beside.alwaysFollowAllPods();
      beside.start();
      int first = beside.awaitSync();
      assertThat(beside.pods()).hasSize(2);
      policy();
      await().atMost(LIMIT).until(() -> beside.policies.list().size() == 1);
      assertThat(beside.followPods()).isEqualTo(first);
      assertThat(beside.policiesInForce()).hasSize(1);
    }
  }

  @Test
  void someTimeAfterTheLastPolicyThePodsOfTheNodeAreEnoughAgain() throws InterruptedException {
    policy();
    int all = informers.awaitSync();
    deletePolicy();
    nanos.addAndGet(PolicyInformers.LINGER.toNanos() - 1);
    assertThat(informers.followPods()).isEqualTo(all);
    nanos.addAndGet(2);
    assertThat(informers.followPods()).isNotEqualTo(all);
    int _ = informers.awaitSync();
    assertThat(pods()).containsExactly("x/a");
  }
}
