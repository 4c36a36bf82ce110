package io.fairlead.controller.endpointslice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FaultyTransport;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Transport;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// The vectors about writes that cross: a server that refuses one, a copy that is behind.
class RacesTest {
  /// Counts updates of slices, refuses the one that is marked, and can hold back what happens to
  /// slices.
  private static final class SliceFaults {
    private final AtomicInteger updates = new AtomicInteger();
    private volatile int refused = -1;
    private volatile CountDownLatch gate = new CountDownLatch(0);

    Transport on(Transport real) {
      return new FaultyTransport(real)
          .onRequest(this::count)
          .onWatch(
              (request, lines) ->
                  request.path().contains("/endpointslices") ? new Held(lines, this) : lines);
    }

    private void count(ApiRequest request) {
      boolean update =
          request.method().equals("PUT") && request.path().contains("/endpointslices/");
      if (update && updates.incrementAndGet() == refused) {
        throw ApiException.modified("discovery.k8s.io", "endpointslices", "x");
      }
    }
  }

  private record Held(LineStream lines, SliceFaults faults) implements LineStream {
    @Override
    public int code() {
      return lines.code();
    }

    @Override
    public Optional<byte[]> next() {
      Optional<byte[]> line = lines.next();
      try {
        faults.gate.await();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      return line;
    }

    @Override
    public void close() {
      lines.close();
    }
  }

  private static ObjectNode made(ObjectNode object) {
    Json.child(object, "metadata").remove("uid");
    return object;
  }

  private static SliceCluster cluster(int most, SliceFaults faults) {
    SliceCluster cluster =
        new SliceCluster(
            new EndpointSliceOptions(most, SliceCluster.AT_ONCE.batching(), 2), faults::on);
    ObjectNode node = Json.object();
    node.putObject("metadata").put("name", "node-a");
    cluster.client.create(ResourceType.NODES, "", node);
    return cluster;
  }

  private static void pod(SliceCluster cluster, int number) {
    cluster.client.create(
        ResourceType.PODS,
        "default",
        made(SliceModel.podTree("p-" + number, "10.0.0." + (number + 1))));
  }

  @Test
  void pk24TheFirstRefusalEndsTheRunAndTheNextGoesOn() {
    SliceFaults faults = new SliceFaults();
    try (SliceCluster cluster = cluster(1, faults)) {
      for (int i = 0; i < 3; i++) {
        pod(cluster, i);
      }
      cluster.settle();
      cluster.client.create(ResourceType.SERVICES, "default", made(SliceModel.service()));
      cluster.settle();
      int before = faults.updates.get();
      faults.refused = before + 2;
      ObjectNode patch = Json.object();
      patch.putObject("metadata").putObject("labels").put("a", "b");
      cluster.client.patch(
          ResourceType.SERVICES, new ObjectKey("default", "svc"), PatchType.MERGE, patch);
      await()
          .atMost(SliceCluster.PATIENCE)
          .until(
              () ->
                  cluster.slices().stream()
                      .allMatch(slice -> "b".equals(Json.text(slice, "metadata", "labels", "a"))));
      assertThat(faults.updates.get() - before)
          .as("one written, one refused, the third not tried, then the two that were left")
          .isEqualTo(4);
      await()
          .atMost(SliceCluster.PATIENCE)
          .until(() -> cluster.eventReasons().contains("FailedToUpdateEndpointSlices"));
    }
  }

  @Test
  void pk25NothingIsWrittenWhileTheCopyIsBehindTheLastWrite() {
    SliceFaults faults = new SliceFaults();
    try (SliceCluster cluster = cluster(100, faults)) {
      cluster.settle();
      faults.gate = new CountDownLatch(1);
      cluster.client.create(ResourceType.SERVICES, "default", made(SliceModel.service()));
      await().atMost(SliceCluster.PATIENCE).until(() -> cluster.slices().size() == 1);
      pod(cluster, 0);
      pod(cluster, 1);
      // Another Service shows that the controller has seen the pods and has had its look.
      ObjectNode second = made(SliceModel.service());
      Json.child(second, "metadata").put("name", "second");
      cluster.client.create(ResourceType.SERVICES, "default", second);
      await().atMost(SliceCluster.PATIENCE).until(() -> cluster.slices().size() == 2);
      assertThat(cluster.sliceWrites()).containsExactly("C", "C");
      faults.gate.countDown();
      cluster.settle();
      assertThat(cluster.slices())
          .map(Slice::of)
          .allSatisfy(slice -> assertThat(slice.endpoints()).hasSize(2));
    }
  }
}
