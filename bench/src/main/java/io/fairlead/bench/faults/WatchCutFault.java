package io.fairlead.bench.faults;

import io.fairlead.api.json.Json;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectPage;
import io.fairlead.client.ResourceType;
import io.fairlead.client.WatchStream;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatch;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.work.Tasks;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.node.ObjectNode;

/// F9: every second all watches are cut, for a number of seconds, while one object counts up. Each
/// watcher must see every number once and in order, and read the whole list only at its start.
final class WatchCutFault implements FaultScenario {
  private static final ResourceType TYPE =
      new ResourceType("", "v1", "configmaps", "ConfigMap", true);
  private static final int WATCHERS = 10;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long BETWEEN = TimeUnit.MILLISECONDS.toNanos(5);
  // A watcher that was cut many times waits up to a minute before its next attempt.
  private static final long CATCH_UP = TimeUnit.SECONDS.toNanos(90);

  private volatile boolean done;
  private volatile int written;

  @Override
  public void run(Size size, FaultReport report) throws Exception {
    AtomicInteger lists = new AtomicInteger();
    List<List<Integer>> seen = new ArrayList<>();
    List<AutoCloseable> open = new ArrayList<>();
    try (ServerUnderFault server = new ServerUnderFault();
        TcpRelay relay = new TcpRelay(() -> new Socket("127.0.0.1", server.port()));
        Client direct = server.client(server.port())) {
      for (int i = 0; i < WATCHERS; i++) {
        Client client = server.client(relay.port());
        List<Integer> numbers = new CopyOnWriteArrayList<>();
        seen.add(numbers);
        Informer<ApiObject> informer =
            new Informer<>(
                new Counting(ListWatchFactory.objects(client, TYPE, "default", ""), lists),
                ApiObject::of,
                TimingSources.system());
        informer.onChange(
            ChangeHandler.of(object -> numbers.add(number(object)), _ -> numbers.add(-1)));
        informer.start();
        open.add(informer);
        open.add(client);
        informer.awaitSync();
      }
      int first = lists.get();
      Thread writer = Tasks.start("bench-writer", () -> count(direct));
      for (int second = 0; second < size.count(); second++) {
        LockSupport.parkNanos(SECOND);
        relay.cut();
      }
      done = true;
      writer.join();
      long until = System.nanoTime() + CATCH_UP;
      while (System.nanoTime() < until && seen.stream().anyMatch(each -> !each.contains(written))) {
        LockSupport.parkNanos(BETWEEN);
      }
      List<Integer> expected = new ArrayList<>();
      for (int i = 1; i <= written; i++) {
        expected.add(i);
      }
      for (List<Integer> numbers : seen) {
        report.must(
            numbers.stream().filter(number -> number > 0).toList().equals(expected),
            "a watcher saw "
                + numbers.size()
                + " events of "
                + written
                + (expected.subList(0, Math.min(numbers.size(), written)).equals(numbers)
                    ? ", in order"
                    : ", not in order"));
      }
      report.figure("cuts", size.count());
      report.figure("watchers", WATCHERS);
      report.figure("events_each", written);
      report.figure("relists", lists.get() - first);
      report.must(lists.get() == first, "lists were read again: " + (lists.get() - first));
      for (AutoCloseable each : open) {
        each.close();
      }
    }
  }

  private void count(Client direct) {
    ObjectNode object = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
    object.putObject("metadata").put("name", "counter").put("namespace", "default");
    object.putObject("data").put("n", "1");
    ObjectNode now = direct.create(TYPE, "default", object);
    int number = 1;
    written = number;
    while (!done) {
      number++;
      Json.child(now, "data").put("n", String.valueOf(number));
      now = direct.update(TYPE, now);
      written = number;
      LockSupport.parkNanos(BETWEEN);
    }
  }

  private static int number(ApiObject object) {
    return Integer.parseInt(Json.textOr(object.body(), "0", "data", "n"));
  }

  /// Counts how often the whole state is read.
  private record Counting(ListWatch source, AtomicInteger lists) implements ListWatch {
    @Override
    public ObjectPage list(String version, int limit, String continueToken) {
      lists.incrementAndGet();
      return source.list(version, limit, continueToken);
    }

    @Override
    public WatchStream watch(String version, boolean initialEvents, Duration timeout) {
      if (initialEvents) {
        lists.incrementAndGet();
      }
      return source.watch(version, initialEvents, timeout);
    }
  }
}
