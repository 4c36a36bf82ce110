package io.fairlead.agent.lifecycle;

import static org.awaitility.Awaitility.await;

import io.fairlead.agent.pod.Pod;
import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class ApiPodReporterTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void anUnexpectedExceptionEndsNoStatusWriter() {
    // More failures than there are writers: if each ended one, none would be left.
    AtomicInteger failures = new AtomicInteger(6);
    try (Client client = new Client(new FakeApi(List.of(ResourceType.PODS, ResourceType.EVENTS)))) {
      ObjectKey key = new ObjectKey("default", "web-0");
      client.create(
          ResourceType.PODS, "default", (ObjectNode) Yaml.parse("metadata: {name: web-0}"));
      Pod pod = Pod.of(client.get(ResourceType.PODS, key));
      EventRecorder events =
          new EventRecorder(client, "kubelet", InstantSource.system(), Ticker.system());
      try (ApiPodReporter reporter =
          new ApiPodReporter(
              client,
              events,
              _ -> {},
              one -> {
                if (failures.getAndDecrement() > 0) {
                  throw new IllegalStateException("unexpected");
                }
                return Optional.of(one.uid());
              })) {
        reporter.status(pod, Json.object().put("phase", "Running"));
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    Json.textOr(client.get(ResourceType.PODS, key), "", "status", "phase")
                        .equals("Running"));
      }
    }
  }
}
