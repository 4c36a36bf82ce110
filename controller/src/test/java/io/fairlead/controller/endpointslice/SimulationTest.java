package io.fairlead.controller.endpointslice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FaultyTransport;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// A bad day: requests that get lost before or after the server has done them, watches that end,
/// history that is forgotten, another client that edits and deletes the slices, a controller that
/// is killed and started again. When it is over, every Service has exactly its pods.
///
/// The seed decides what is done, not how threads take turns: a failing seed shows the history, not
/// always the failure.
class SimulationTest {
  /// A line on which requests and answers get lost.
  private static final class BadLine {
    private final RandomGenerator random;
    private volatile boolean bad = true;

    BadLine(long seed) {
      this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    Transport on(Transport real) {
      return new FaultyTransport(real)
          .onRequest(_ -> strike("lost on the way there"))
          .onAnswer(_ -> strike("lost on the way back"));
    }

    private synchronized void strike(String how) {
      if (bad && random.nextInt(100) < 4) {
        throw new ConnectionException(how);
      }
    }
  }

  private static final int SERVICES = 4;
  private static final int PODS = 24;
  private static final int BREATHER = 80;

  @ParameterizedTest
  @ValueSource(longs = {11, 12})
  void endsRight(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    BadLine line = new BadLine(seed + 1);
    EndpointSliceOptions options =
        new EndpointSliceOptions(5, new Batching.LeadingEdge(Duration.ofMillis(20)), 3);
    try (SliceCluster cluster = new SliceCluster(options, line::on)) {
      ObjectNode node = Json.object();
      node.putObject("metadata").put("name", "node-a");
      cluster.client.create(ResourceType.NODES, "", node);
      for (int i = 0; i < SERVICES; i++) {
        service(cluster.client, i);
      }
      for (int round = 0; round < 250; round++) {
        tolerant(() -> act(cluster, random, options));
        if (round % BREATHER == 0) {
          // Otherwise the history is over before the controller has looked at half of it.
          line.bad = false;
          cluster.settle();
          line.bad = true;
        }
      }
      line.bad = false;
      await()
          .atMost(SliceCluster.PATIENCE)
          .pollInterval(Duration.ofMillis(50))
          .untilAsserted(
              () -> {
                for (int i = 0; i < SERVICES; i++) {
                  assertThat(published(cluster, "svc-" + i))
                      .as("seed %d, service %d", seed, i)
                      .isEqualTo(wanted(cluster, i));
                }
              });
    }
  }

  private static void service(Client client, int number) {
    ObjectNode service = SliceModel.service();
    Json.child(service, "metadata").put("name", "svc-" + number).remove("uid");
    Json.child(service, "spec").putObject("selector").put("group", Integer.toString(number));
    client.create(ResourceType.SERVICES, "default", service);
  }

  /// Another client was quicker, or it is not there: fine.
  private static void tolerant(Runnable work) {
    try {
      work.run();
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e) && !ApiErrors.isAlreadyExists(e) && !ApiErrors.isConflict(e)) {
        throw e;
      }
    }
  }

  private static void act(
      SliceCluster cluster, RandomGenerator random, EndpointSliceOptions options) {
    Client client = cluster.client;
    int number = random.nextInt(PODS);
    ObjectKey key = new ObjectKey("default", "p-" + number);
    int what = random.nextInt(100);
    if (what < 35) {
      ObjectNode pod = SliceModel.podTree(key.name(), "10.0.0." + (number + 1));
      ObjectNode metadata = Json.child(pod, "metadata");
      metadata.remove("uid");
      metadata.putObject("labels").put("group", Integer.toString(random.nextInt(SERVICES)));
      client.create(ResourceType.PODS, "default", pod);
    } else if (what < 55) {
      ObjectNode patch = Json.object();
      SliceModel.ready(patch, random.nextBoolean());
      ObjectNode current = client.get(ResourceType.PODS, key);
      Json.child(current, "status").set("conditions", patch.path("status").path("conditions"));
      client.update(ResourceType.PODS, "status", current);
    } else if (what < 65) {
      ObjectNode patch = Json.object();
      patch
          .putObject("metadata")
          .putObject("labels")
          .put("group", Integer.toString(random.nextInt(SERVICES)));
      client.patch(ResourceType.PODS, key, PatchType.MERGE, patch);
    } else if (what < 80) {
      client.delete(ResourceType.PODS, key, DeleteOptions.DEFAULT.within(0));
    } else if (what < 86) {
      meddle(cluster, random);
    } else if (what < 92) {
      cluster.api.endWatches();
    } else if (what < 95) {
      cluster.api.compact();
      cluster.api.endWatches();
    } else if (what < 98) {
      int service = random.nextInt(SERVICES);
      client.delete(
          ResourceType.SERVICES, new ObjectKey("default", "svc-" + service), DeleteOptions.DEFAULT);
      service(client, service);
    } else {
      cluster.stop();
      cluster.start(options);
    }
  }

  private static void meddle(SliceCluster cluster, RandomGenerator random) {
    List<ObjectNode> slices = cluster.slices();
    if (slices.isEmpty()) {
      return;
    }
    ObjectNode slice = slices.get(random.nextInt(slices.size()));
    if (random.nextBoolean()) {
      cluster.client.delete(
          ResourceType.ENDPOINT_SLICES, ObjectKey.of(slice), DeleteOptions.DEFAULT);
    } else {
      slice.putArray("endpoints");
      cluster.client.update(ResourceType.ENDPOINT_SLICES, slice);
    }
  }

  private static Set<String> wanted(SliceCluster cluster, int group) {
    Set<String> wanted = new TreeSet<>();
    for (ObjectNode pod : cluster.list(ResourceType.PODS)) {
      if (Integer.toString(group).equals(Json.text(pod, "metadata", "labels", "group"))) {
        String ready = pod.path("status").path("conditions").path(0).path("status").asString("");
        wanted.add(
            Json.text(pod, "metadata", "uid")
                + " "
                + pod.path("status").path("podIPs").path(0).path("ip").asString("")
                + " "
                + ready.equals("True"));
      }
    }
    return wanted;
  }

  /// Throws when an endpoint is there twice.
  private static Set<String> published(SliceCluster cluster, String service) {
    Set<String> published = new TreeSet<>();
    for (ObjectNode tree : cluster.slices()) {
      Slice slice = Slice.of(tree);
      if (slice.managedByUs() && slice.service().name().equals(service)) {
        for (SliceEndpoint endpoint : slice.endpoints()) {
          boolean first =
              published.add(
                  endpoint.target().uid()
                      + " "
                      + endpoint.addresses().getFirst()
                      + " "
                      + endpoint.isReady());
          assertThat(first).as("once: %s", endpoint).isTrue();
        }
      }
    }
    return published;
  }
}
