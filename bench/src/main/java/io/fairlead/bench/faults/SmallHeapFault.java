package io.fairlead.bench.faults;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.work.Tasks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.node.ObjectNode;

/// F12: an API server with a heap of 64 MB gets a number of Services from 8 clients, and is asked
/// for them again: all are there with what they were given. It may be slow and may ask clients to
/// come back; it may not be wrong or die.
final class SmallHeapFault implements FaultScenario {
  private static final ResourceType SERVICES =
      new ResourceType("", "v1", "services", "Service", true);
  private static final int CLIENTS = 8;
  private static final long LATER = 50_000_000;

  private final AtomicInteger later = new AtomicInteger();

  @Override
  public void run(Size size, FaultReport report) throws Exception {
    try (ServerUnderFault server =
        new ServerUnderFault("env", "JAVA_TOOL_OPTIONS=-Xmx64m", "FAIRLEAD_AOT=off")) {
      long start = System.nanoTime();
      List<Thread> clients = new ArrayList<>();
      AtomicInteger next = new AtomicInteger();
      AtomicInteger made = new AtomicInteger();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(
            Tasks.start(
                "bench-client",
                () -> {
                  try (Client client = server.client(server.port())) {
                    for (int n = next.getAndIncrement();
                        n < size.count();
                        n = next.getAndIncrement()) {
                      create(client, n);
                      made.incrementAndGet();
                    }
                  }
                }));
      }
      for (Thread each : clients) {
        each.join();
      }
      report.must(made.get() == size.count(), "only " + made + " could be created");
      report.figure("created_per_second", size.count() / ((System.nanoTime() - start) / 1e9));
      check(server, size, report);
      report.figure("asked_to_come_back", later.get());
      report.figure("resident_mb", server.residentMegabytes());
      report.must(server.isAlive(), "the server has ended");
    }
  }

  private static void check(ServerUnderFault server, Size size, FaultReport report)
      throws Exception {
    try (Client client = server.client(server.port())) {
      Set<String> names = new HashSet<>();
      Set<String> addresses = new HashSet<>();
      client.listAll(
          SERVICES,
          "default",
          ListOptions.ALL,
          item -> {
            if (Json.textOr(item, "", "metadata", "name").startsWith("s-")) {
              names.add(Json.textOr(item, "", "metadata", "name"));
              addresses.add(Json.textOr(item, "", "spec", "clusterIP"));
            }
          });
      report.must(names.size() == size.count(), "listed " + names.size() + " of " + size.count());
      report.must(addresses.size() == size.count(), "addresses were given twice");
      for (int n = 0; n < size.count(); n += 1 + size.count() / 500) {
        ObjectNode found = client.get(SERVICES, new ObjectKey("default", "s-" + n));
        report.must(
            Json.at(found, "spec", "ports").path(0).path("port").asInt(0) == 1 + n % 60_000,
            "s-" + n + " is not what was written: " + found);
      }
    }
  }

  private void create(Client client, int number) {
    ObjectNode object = Json.object().put("apiVersion", "v1").put("kind", "Service");
    object.putObject("metadata").put("name", "s-" + number).put("namespace", "default");
    object.putObject("spec").putArray("ports").addObject().put("port", 1 + number % 60_000);
    while (true) {
      try {
        client.create(SERVICES, "default", object);
        return;
      } catch (ApiException e) {
        if (e.status().code() != 429 && e.status().code() != 503) {
          throw e;
        }
        later.incrementAndGet();
        LockSupport.parkNanos(LATER);
      }
    }
  }
}
