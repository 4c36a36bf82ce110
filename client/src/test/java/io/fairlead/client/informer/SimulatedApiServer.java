package io.fairlead.client.informer;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.Status;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ObjectPage;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.testing.FakeLines;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/// A server that changes, forgets, and drops connections as the dice say, and a record of what it
/// held at every version. Everything runs on the one thread that asks it: each question is a step.
final class SimulatedApiServer implements Transport {
  private static final ResourceType MAPS = ResourceType.CONFIG_MAPS;

  final Random random;
  private final FakeApi api = new FakeApi(List.of(MAPS));
  private final Client direct = new Client(api);
  private final TreeMap<Long, Map<ObjectKey, String>> truth = new TreeMap<>();
  private final Informer<ObjectMeta> informer;
  private final Model model = new Model();
  private long nanos;
  private int stepsLeft;
  private String lastVersion = "0";

  SimulatedApiServer(long seed, int steps) {
    random = new Random(seed);
    stepsLeft = steps;
    remember();
    informer =
        new Informer<>(
            ListWatchFactory.objects(new Client(this), MAPS, "", ""),
            ObjectMeta::of,
            new TimingSources(
                () -> nanos,
                time -> {
                  nanos += time.toNanos();
                  step();
                },
                random));
    informer.onChange(model);
  }

  /// Runs to the end: first with trouble, then without, until the copy has caught up.
  void run() {
    informer.runHere();
    assertThat(contentOf(informer.list())).isEqualTo(truth.lastEntry().getValue());
    assertThat(model.content).isEqualTo(truth.lastEntry().getValue());
  }

  @Override
  public ApiResponse send(ApiRequest request) {
    step();
    if (trouble(10)) {
      throw new ConnectionException("connection refused");
    }
    if (trouble(20)) {
      return new ApiResponse(429, Json.bytes(Status.of(429, "TooManyRequests", "busy").toJson()));
    }
    return api.send(request);
  }

  @Override
  public LineStream stream(ApiRequest request) {
    step();
    if (trouble(10)) {
      throw new ConnectionException("connection refused");
    }
    return new Lossy(api.stream(request));
  }

  @Override
  public void close() {
    api.close();
  }

  private boolean trouble(int oneIn) {
    return stepsLeft > 0 && random.nextInt(oneIn) == 0;
  }

  private void step() {
    check();
    if (stepsLeft <= 0) {
      return;
    }
    stepsLeft--;
    nanos += Duration.ofMillis(random.nextInt(5000)).toNanos();
    for (int writes = random.nextInt(3); writes > 0; writes--) {
      write();
    }
    switch (random.nextInt(25)) {
      case 0 -> api.compact();
      case 1 -> api.streamingLists(random.nextBoolean());
      case 2 -> api.skipRevision();
      default -> {}
    }
    remember();
  }

  private void write() {
    ObjectKey key = new ObjectKey("default", "m" + random.nextInt(6));
    ObjectNode object = Json.object();
    object.putObject("metadata").put("name", key.name()).put("namespace", "default");
    object.putObject("data").put("x", Integer.toString(random.nextInt()));
    boolean exists = direct.find(MAPS, key).isPresent();
    if (!exists) {
      direct.create(MAPS, "default", object);
    } else if (random.nextBoolean()) {
      direct.update(MAPS, object);
    } else {
      direct.delete(MAPS, key, DeleteOptions.DEFAULT);
    }
    remember();
  }

  private void remember() {
    ObjectPage page = direct.list(MAPS, "", ListOptions.ALL);
    truth.put(
        Long.parseLong(page.resourceVersion()),
        contentOf(page.items().stream().map(ObjectMeta::of).toList()));
  }

  /// The copy is exactly what the server held at the version the copy claims; versions never go
  /// back.
  private void check() {
    if (!informer.hasSynced()) {
      return;
    }
    String version = informer.version();
    assertThat(ResourceVersions.compare(version, lastVersion)).isGreaterThanOrEqualTo(0);
    lastVersion = version;
    Map<ObjectKey, String> held = truth.floorEntry(Long.parseLong(version)).getValue();
    assertThat(contentOf(informer.list())).as("at version " + version).isEqualTo(held);
    assertThat(model.content).as("handlers at version " + version).isEqualTo(held);
  }

  private static Map<ObjectKey, String> contentOf(List<ObjectMeta> objects) {
    Map<ObjectKey, String> content = new HashMap<>();
    objects.forEach(object -> content.put(object.key(), object.resourceVersion()));
    return content;
  }

  /// A watch that is cut, ends, repeats itself and sends bookmarks.
  private final class Lossy implements LineStream {
    private final FakeLines lines;
    private final List<byte[]> sent = new ArrayList<>();

    Lossy(FakeLines lines) {
      this.lines = lines;
    }

    @Override
    public int code() {
      return lines.code();
    }

    @Override
    public Optional<byte[]> next() {
      if (lines.code() != 200) {
        return lines.poll();
      }
      while (true) {
        step();
        if (trouble(20)) {
          throw new ConnectionException("cut");
        }
        if (trouble(20)) {
          return Optional.empty();
        }
        if (trouble(10) && !sent.isEmpty()) {
          return Optional.of(sent.get(random.nextInt(sent.size())));
        }
        if (trouble(10)) {
          lines.sendBookmark();
        }
        Optional<byte[]> line = lines.poll();
        if (line.isPresent()) {
          sent.add(line.get());
          return line;
        }
        if (stepsLeft <= 0) {
          finish();
        }
      }
    }

    private void finish() {
      if (contentOf(informer.list()).equals(truth.lastEntry().getValue())) {
        informer.close();
      }
      throw new ConnectionException("the end");
    }

    @Override
    public void close() {
      lines.close();
    }
  }

  /// What a client knows that only watches.
  private static final class Model implements ChangeHandler<ObjectMeta> {
    private final Map<ObjectKey, String> content = new HashMap<>();

    @Override
    public void added(ObjectMeta object, boolean initial) {
      check(content.put(object.key(), object.resourceVersion()) == null, "added twice");
    }

    @Override
    public void updated(ObjectMeta old, ObjectMeta now) {
      String known = content.put(now.key(), now.resourceVersion());
      check(old.resourceVersion().equals(known), "updated from a state never told");
      check(!now.resourceVersion().equals(known), "told twice");
    }

    @Override
    public void deleted(ObjectMeta last, boolean finalStateUnknown) {
      check(content.remove(last.key()) != null, "deleted but never there");
    }

    private void check(boolean good, String what) {
      if (!good) {
        // The copy differs from now on, which the next check of the world reports.
        content.put(new ObjectKey("broken", what), "");
      }
    }
  }
}
