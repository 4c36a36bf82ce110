package io.fairlead.controller.garbage;

import static io.fairlead.controller.ControllersTestCluster.SERVICES;
import static io.fairlead.controller.ControllersTestCluster.SLICES;
import static io.fairlead.controller.ControllersTestCluster.owner;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.Discovery;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.controller.garbage.GarbageAction.Owner;
import io.fairlead.controller.garbage.OwnerGraph.Node;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class OwnerLookupTest {
  private final FakeApi api = new FakeApi(List.of(ResourceType.EVENTS, SERVICES, SLICES));
  private final Client client = new Client(api);
  private final OwnerGraph graph = new OwnerGraph();
  private final EventRecorder events =
      new EventRecorder(client, "test", InstantSource.system(), Ticker.system());
  private final OwnerLookup lookup = new OwnerLookup(client, Discovery.of(client), graph, events);

  @AfterEach
  void close() {
    events.close();
    api.close();
  }

  private ObjectNode create(ResourceType type, String namespace, ObjectNode... owners) {
    ObjectNode object = named("s");
    for (ObjectNode owner : owners) {
      object.withObject("metadata").withArray("ownerReferences").add(owner);
    }
    return client.create(type, namespace, object);
  }

  private static ObjectNode named(String name) {
    ObjectNode object = Json.object();
    object.putObject("metadata").put("name", name);
    return object;
  }

  @Test
  void anOwnerElsewhereThatIsSeenAfterItsDependentIsReported() {
    client.create(ResourceType.NAMESPACES, "", named("other"));
    ObjectNode service = create(SERVICES, "other");
    ObjectMeta slice = ObjectMeta.of(create(SLICES, "default", owner(SERVICES, service)));
    Node dependent = new Node(SLICES, slice);
    assertThat(lookup.judge(dependent, slice.ownerReferences().getFirst()))
        .isEqualTo(Owner.DANGLING);
    Node owner = new Node(SERVICES, ObjectMeta.of(service));
    graph.put(owner);
    lookup.ownerSeen(owner);
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(client.list(ResourceType.EVENTS, "default", ListOptions.ALL).items())
                    .singleElement()
                    .satisfies(
                        event ->
                            assertThat(Json.text(event, "reason"))
                                .isEqualTo("OwnerRefInvalidNamespace")));
  }
}
