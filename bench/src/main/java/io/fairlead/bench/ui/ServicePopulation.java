package io.fairlead.bench.ui;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.work.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import tools.jackson.databind.node.ObjectNode;

/// What a page with many Services shows: objects alone, no node runs anything.
final class ServicePopulation {
  private static final int WRITERS = 16;
  private static final int PODS = 3;

  private final Client client;

  ServicePopulation(Client client) {
    this.client = client;
  }

  /// Pods that are ready, and a Service whose slice the browser's program writes.
  void prepare() {
    for (int i = 0; i < PODS; i++) {
      ObjectNode pod = named("v1", "Pod", "web-" + i);
      pod.withObject("metadata").putObject("labels").put("app", "web");
      pod.putObject("spec").putArray("containers").addObject().put("name", "c").put("image", "i");
      ObjectNode made = client.create(ResourceType.PODS, "default", pod);
      String address = "198.51.100." + (i + 1);
      ObjectNode status = Json.child(made, "status").put("phase", "Running").put("podIP", address);
      status.putArray("podIPs").addObject().put("ip", address);
      status.putArray("conditions").addObject().put("type", "Ready").put("status", "True");
      // The scheduler writes a condition of the pod meanwhile: whatever its version is now.
      Json.child(made, "metadata").remove("resourceVersion");
      ObjectNode _ = client.update(ResourceType.PODS, "status", made);
    }
    ObjectNode direct = named("v1", "Service", "direct");
    direct.putObject("spec").putArray("ports").addObject().put("port", 80).put("protocol", "TCP");
    ObjectNode _ = client.create(ResourceType.SERVICES, "default", direct);
    ObjectNode slice = named("discovery.k8s.io/v1", "EndpointSlice", "direct-1");
    slice.withObject("metadata").putObject("labels").put("kubernetes.io/service-name", "direct");
    slice.put("addressType", "IPv4");
    slice.putArray("ports").addObject().put("port", 80).put("protocol", "TCP");
    ObjectNode endpoint = slice.putArray("endpoints").addObject();
    endpoint.putArray("addresses").add("192.0.2.1");
    endpoint.putObject("conditions").put("ready", true);
    ObjectNode _ = client.create(ResourceType.ENDPOINT_SLICES, "default", slice);
  }

  private static ObjectNode named(String version, String kind, String name) {
    ObjectNode object = Json.object().put("apiVersion", version).put("kind", kind);
    object.putObject("metadata").put("name", name).put("namespace", "default");
    return object;
  }

  /// Makes `s-FROM` up to `s-TO`: nine of ten have the pods behind them, the tenth selects none.
  void services(int from, int to) throws InterruptedException, ExecutionException {
    List<Future<?>> writers = new ArrayList<>();
    try (ExecutorService threads = Tasks.perTask("fill")) {
      for (int writer = 0; writer < WRITERS; writer++) {
        int first = from + writer;
        writers.add(
            threads.submit(
                () -> {
                  for (int i = first; i < to; i += WRITERS) {
                    service(i);
                  }
                }));
      }
      for (Future<?> writer : writers) {
        Object _ = writer.get();
      }
    }
  }

  private void service(int number) {
    ObjectNode service = named("v1", "Service", "s-" + number);
    ObjectNode spec = service.putObject("spec");
    spec.putObject("selector").put("app", number % 10 == 9 ? "webb" : "web");
    spec.putArray("ports")
        .addObject()
        .put("name", "http")
        .put("port", 80)
        .put("targetPort", 80)
        .put("protocol", "TCP");
    ObjectNode _ = client.create(ResourceType.SERVICES, "default", service);
  }
}
