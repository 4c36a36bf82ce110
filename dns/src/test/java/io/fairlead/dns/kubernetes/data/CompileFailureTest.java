package io.fairlead.dns.kubernetes.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.dns.testing.DnsTestCluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Compiling an object fails.
class CompileFailureTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ObjectKey WEB = new ObjectKey("shop", "web");
  private static final ObjectKey GONE = new ObjectKey("shop", "gone");

  private static ObjectNode slice(String service, String address) {
    return Json.parseObject(
        """
            {"kind": "EndpointSlice", "addressType": "IPv4",
             "metadata": {"name": "%s-1", "namespace": "shop",
               "labels": {"kubernetes.io/service-name": "%s"},
               "annotations":
                 {"endpoints.kubernetes.io/last-change-trigger-time": "2026-11-16T00:00:00Z"}},
             "endpoints": [{"addresses": ["%s"], "conditions": {"ready": true}}]}
            """
            .formatted(service, service, address)
            .getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theOthersAreCompiled() {
    DnsTestCluster cluster = new DnsTestCluster();
    cluster.namespace("shop");
    List<String> services = List.of("a", "b", "c");
    services.forEach(service -> cluster.service("shop/" + service, "None", "http/TCP/80"));
    AtomicInteger calls = new AtomicInteger();
    DataObserver observer =
        (_, _) -> {
          if (calls.getAndIncrement() == 0) {
            throw new IllegalStateException("once");
          }
        };
    try (ClusterData data =
        new ClusterData(
            cluster.client(),
            DataOptions.withTtl(5),
            TimingSources.system(),
            InstantSource.system(),
            observer)) {
      await().atMost(PATIENCE).until(data::synced);
      services.forEach(service -> cluster.create(slice(service, "10.0.0.1")));
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  calls.get() == services.size()
                      && data.snapshot().stream()
                          .allMatch(each -> each.compiled().endpoints().size() == 1));
    }
  }

  @Test
  void whatIsPutBackComesAgainUnlessItIsOld() throws InterruptedException {
    CompileQueue queue = new CompileQueue();
    CompileQueue.Batch failed = new CompileQueue.Batch();
    failed.services().put(WEB, 7L);
    failed.namespaces().put("shop", true);
    failed.pods().put(GONE, null);
    queue.putBack(failed);
    CompileQueue.Batch older = new CompileQueue.Batch();
    older.services().put(WEB, 3L);
    older.namespaces().put("shop", false);
    older.pods().put(GONE, new PodFacts(GONE, List.of(), false));
    queue.putBack(older);
    assertThat(queue.clean()).isFalse();
    CompileQueue.Batch taken = queue.take(0);
    assertThat(taken.services()).isEqualTo(Map.of(WEB, 7L));
    assertThat(taken.namespaces()).isEqualTo(Map.of("shop", true));
    assertThat(taken.pods()).containsOnlyKeys(GONE).containsEntry(GONE, null);
    assertThat(queue.clean()).isTrue();
  }
}
