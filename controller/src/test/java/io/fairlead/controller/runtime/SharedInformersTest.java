package io.fairlead.controller.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.testing.FakeApi;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// One informer a kind, one watch a resource.
class SharedInformersTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final ResourceType MAPS = ResourceType.CONFIG_MAPS;
  private static final List<ObjectNode> ONE = new CopyOnWriteArrayList<>();
  private static final List<ObjectNode> OTHER = new CopyOnWriteArrayList<>();
  private static final InformerKind<ApiObject> FIRST =
      InformerKind.of(MAPS, object -> kept(object, ONE));
  private static final InformerKind<ApiObject> SECOND =
      InformerKind.of(MAPS, object -> kept(object, OTHER))
          .indexedBy("name", object -> List.of(object.metadata().name()));
  private static final InformerKind<ApiObject> ELSEWHERE =
      InformerKind.of(ResourceType.NAMESPACES, ApiObject::of);

  private static ApiObject kept(ObjectNode object, List<ObjectNode> seen) {
    seen.add(object);
    return ApiObject.of(object);
  }

  @Test
  void kindsOfOneResourceReadTheSameObjects() {
    try (FakeApi api = new FakeApi(List.of(MAPS, ResourceType.NAMESPACES));
        SharedInformers shared = new SharedInformers(new Client(api), TimingSources.system())) {
      Client client = new Client(api);
      Informer<ApiObject> first = shared.of(FIRST);
      Informer<ApiObject> second = shared.of(SECOND);
      assertThat(shared.of(FIRST)).isSameAs(first).isNotSameAs(second);
      assertThat(shared.of(SECOND)).isSameAs(second);
      Informer<ApiObject> elsewhere = shared.of(ELSEWHERE);
      shared.start();
      await().atMost(LIMIT).until(shared::haveSynced);
      assertThat(elsewhere.hasSynced()).isTrue();
      ObjectNode object = Json.object();
      object.putObject("metadata").put("namespace", "default").put("name", "a");
      client.create(MAPS, "default", object);
      await().atMost(LIMIT).until(() -> second.find("name", "a").size() == 1);
      assertThat(first.get(new ObjectKey("default", "a"))).isPresent();
      assertThat(ONE).hasSize(1);
      assertThat(OTHER).hasSize(1);
      assertThat(OTHER.getFirst()).isSameAs(ONE.getFirst());
      assertThatThrownBy(() -> shared.of(InformerKind.of(MAPS, ApiObject::of)))
          .hasMessageContaining("asked for after the start");
    }
  }
}
