package io.fairlead.controller.garbage;

import static io.fairlead.controller.ControllersTestCluster.SERVICES;
import static io.fairlead.controller.ControllersTestCluster.SLICES;
import static io.fairlead.controller.ControllersTestCluster.owner;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.DeleteOptions.Propagation;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.ControllersTestCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class GarbageCollectorTest {
  private final ControllersTestCluster cluster = new ControllersTestCluster();

  @AfterEach
  void close() {
    cluster.close();
  }

  private void delete(ResourceType type, String name, Propagation propagation) {
    cluster.client.delete(type, new ObjectKey("default", name), DeleteOptions.of(propagation));
  }

  private void gone(ResourceType type, String name) {
    await().atMost(Duration.ofMinutes(1)).until(() -> !cluster.exists(type, "default", name));
  }

  /// A dependent whose owner never was: when it is gone, everything queued before has been looked
  /// at.
  private void collectorIsIdle() {
    ObjectNode never = owner(SERVICES, cluster.create(SERVICES, "default", "probe"));
    never.put("name", "never").put("uid", "never");
    cluster.create(SLICES, "default", "probe", never);
    gone(SLICES, "probe");
  }

  @Test
  void gc1DependentsGoAfterTheirOwner() {
    ObjectNode service = cluster.create(SERVICES, "default", "s");
    cluster.create(SLICES, "default", "s-1", owner(SERVICES, service));
    cluster.create(SLICES, "default", "free");
    delete(SERVICES, "s", Propagation.BACKGROUND);
    gone(SLICES, "s-1");
    assertThat(cluster.exists(SLICES, "default", "free")).isTrue();
  }

  @Test
  void gc2InTheForegroundDependentsGoFirst() {
    ObjectNode service = cluster.create(SERVICES, "default", "s");
    cluster.create(SLICES, "default", "s-1", owner(SERVICES, service));
    cluster.finalizers(SLICES, "default", "s-1", "example.com/hold");
    delete(SERVICES, "s", Propagation.FOREGROUND);
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> cluster.meta(SLICES, "default", "s-1").beingDeleted());
    collectorIsIdle();
    assertThat(cluster.exists(SERVICES, "default", "s")).isTrue();
    cluster.finalizers(SLICES, "default", "s-1");
    gone(SERVICES, "s");
    assertThat(cluster.exists(SLICES, "default", "s-1")).isFalse();
  }

  @Test
  void foregroundGoesDownTheWholeChain() {
    ObjectNode top = cluster.create(SERVICES, "default", "top");
    ObjectNode middle =
        cluster.create(ResourceType.CONFIG_MAPS, "default", "middle", owner(SERVICES, top));
    cluster.create(SLICES, "default", "leaf", owner(ResourceType.CONFIG_MAPS, middle));
    delete(SERVICES, "top", Propagation.FOREGROUND);
    gone(SERVICES, "top");
    assertThat(cluster.exists(ResourceType.CONFIG_MAPS, "default", "middle")).isFalse();
    assertThat(cluster.exists(SLICES, "default", "leaf")).isFalse();
  }

  @Test
  void aCircleOfOwnersGoesInTheForegroundToo() {
    ObjectNode first = cluster.create(SERVICES, "default", "first");
    ObjectNode second = cluster.create(SERVICES, "default", "second", owner(SERVICES, first));
    ObjectNode third = cluster.create(SERVICES, "default", "third", owner(SERVICES, second));
    ObjectNode patch = Json.object();
    patch.putObject("metadata").putArray("ownerReferences").add(owner(SERVICES, third));
    cluster.client.patch(SERVICES, new ObjectKey("default", "first"), PatchType.MERGE, patch);
    delete(SERVICES, "first", Propagation.FOREGROUND);
    for (String name : List.of("first", "second", "third")) {
      gone(SERVICES, name);
    }
    collectorIsIdle();
    assertThat(cluster.hotKeys()).isZero();
  }

  @Test
  void gc3AnOwnerInAnotherNamespaceIsNone() {
    cluster.namespace("other");
    ObjectNode service = cluster.create(SERVICES, "other", "s");
    cluster.create(SLICES, "default", "s-1", owner(SERVICES, service));
    gone(SLICES, "s-1");
    assertThat(cluster.exists(SERVICES, "other", "s")).isTrue();
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(
                        cluster
                            .client
                            .list(ResourceType.EVENTS, "default", ListOptions.ALL)
                            .items())
                    .anySatisfy(
                        event ->
                            assertThat(Json.text(event, "reason"))
                                .isEqualTo("OwnerRefInvalidNamespace")));
  }

  @Test
  void gc4ADeadOwnerIsTakenOutAndTheLiveOneKeeps() {
    ObjectNode live = cluster.create(SERVICES, "default", "live");
    ObjectNode dead = cluster.create(SERVICES, "default", "dead");
    cluster.create(SLICES, "default", "x", owner(SERVICES, live), owner(SERVICES, dead));
    delete(SERVICES, "dead", Propagation.BACKGROUND);
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> cluster.meta(SLICES, "default", "x").ownerReferences().size() == 1);
    assertThat(cluster.meta(SLICES, "default", "x").ownerReferences().getFirst().name())
        .isEqualTo("live");
  }

  @Test
  void orphansStayWithoutTheirOwner() {
    ObjectNode service = cluster.create(SERVICES, "default", "s");
    cluster.create(SLICES, "default", "s-1", owner(SERVICES, service));
    delete(SERVICES, "s", Propagation.ORPHAN);
    gone(SERVICES, "s");
    collectorIsIdle();
    assertThat(cluster.meta(SLICES, "default", "s-1").ownerReferences()).isEmpty();
  }

  @Test
  void aSuccessorOfTheSameNameDoesNotInherit() {
    ObjectNode first = cluster.create(SERVICES, "default", "s");
    cluster.stop();
    cluster.create(SLICES, "default", "of-first", owner(SERVICES, first));
    delete(SERVICES, "s", Propagation.BACKGROUND);
    ObjectNode second = cluster.create(SERVICES, "default", "s");
    cluster.create(SLICES, "default", "of-second", owner(SERVICES, second));
    cluster.restart();
    gone(SLICES, "of-first");
    collectorIsIdle();
    assertThat(cluster.exists(SLICES, "default", "of-second")).isTrue();
  }

  @Test
  void anOwnerOfAnUnknownKindIsNotTakenForAbsent() {
    ObjectNode strange =
        Json.object()
            .put("apiVersion", "example.com/v1")
            .put("kind", "Widget")
            .put("name", "w")
            .put("uid", "w");
    cluster.create(SLICES, "default", "x", strange);
    collectorIsIdle();
    assertThat(cluster.exists(SLICES, "default", "x")).isTrue();
  }
}
