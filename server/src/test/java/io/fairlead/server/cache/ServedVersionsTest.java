package io.fairlead.server.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.store.Write;
import io.fairlead.store.testing.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ServedVersionsTest {
  @Test
  void everyServedVersionOfAResourceFollowsTheStore() {
    List<Resource> versions =
        List.of(new Versioned("v1"), new Versioned("v1beta2"), new Versioned("v1beta1"));
    try (MemoryStore store = new MemoryStore();
        Caches caches = Caches.start(store, versions, 10)) {
      ObjectNode thing = Json.object().put("apiVersion", "test/v1").put("kind", "Thing");
      thing.putObject("metadata").put("name", "a").put("namespace", "default");
      store.commit(
          List.of(
              new Write.Put("/registry/things/default/a", ObjectCodec.encode(thing), Write.ANY)));
      caches.awaitFresh();
      assertThat(versions)
          .allSatisfy(
              version ->
                  assertThat(caches.of(version).get("default", "a")).as("cache").isNotNull());
    }
  }

  private static final class Versioned extends Resource {
    private final String version;

    Versioned(String version) {
      this.version = version;
    }

    @Override
    public String toString() {
      return version;
    }

    @Override
    public ResourceDescriptor descriptor() {
      return new ResourceDescriptor(
          "test",
          version,
          "things",
          "thing",
          "Thing",
          true,
          List.of(),
          List.of(),
          ResourceDescriptor.ALL_VERBS,
          "/registry/things",
          "test.Thing");
    }

    @Override
    public List<String> nameProblems(String name, boolean prefix, int emulatedMinor) {
      return List.of();
    }
  }
}
