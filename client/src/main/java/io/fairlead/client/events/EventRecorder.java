package io.fairlead.client.events;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Ticker;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Writes events, from a loop of its own. An event is never worth failing for: when the server does
/// not take it, or more of them wait than the queue holds, it is dropped with a line in the log.
public final class EventRecorder implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);
  private static final int WAITING = 1000;

  private final Client client;
  private final String component;
  private final InstantSource clock;
  private final Ticker ticker;
  private final EventCorrelator correlator;
  private final BlockingQueue<ObjectEvent> waiting = new ArrayBlockingQueue<>(WAITING);
  private final AtomicLong dropped = new AtomicLong();
  private final SupervisedLoop loop;

  /// @param component the source of the events, such as `garbage-collector`
  public EventRecorder(Client client, String component, InstantSource clock, Ticker ticker) {
    this.client = client;
    this.component = component;
    this.clock = clock;
    this.ticker = ticker;
    this.correlator = new EventCorrelator(ticker);
    this.loop =
        SupervisedLoop.of("event-recorder").key(component).start(() -> write(waiting.take()));
  }

  /// Hands an event over. Never blocks, never fails.
  public void record(ObjectEvent event) {
    if (waiting.offer(event)) {
      return;
    }
    long count = dropped.incrementAndGet();
    // The first, the second, the fourth and so on: ten thousand of them are fourteen lines.
    if (Long.bitCount(count) == 1) {
      log.atWarn()
          .addKeyValue("about", event.about())
          .addKeyValue("dropped", count)
          .log("too many events, not all are written");
    }
  }

  /// Stops; events still waiting are dropped. Idempotent.
  @Override
  public void close() {
    loop.close();
  }

  private void write(ObjectEvent event) {
    try {
      switch (correlator.observe(event)) {
        case EventCorrelator.Outcome.Drop() -> {}
        case EventCorrelator.Outcome.Create(ObjectEvent shown) -> create(shown);
        case EventCorrelator.Outcome.Count(ObjectEvent shown, long number, int count) ->
            count(shown, number, count);
      }
    } catch (ApiException | ConnectionException e) {
      log.atInfo()
          .addKeyValue("about", event.about())
          .addKeyValue("why", e.getMessage())
          .log("event not written");
    }
  }

  private void create(ObjectEvent event) {
    long number = ticker.nanos();
    client.create(ResourceType.EVENTS, namespace(event.about()), body(event, name(event, number)));
    correlator.created(event, number);
  }

  private static String name(ObjectEvent event, long number) {
    return event.about().key().name() + "." + Long.toHexString(number);
  }

  private void count(ObjectEvent event, long number, int count) {
    ObjectNode patch =
        Json.object()
            .put("count", count)
            .put("lastTimestamp", now())
            .put("message", event.message());
    try {
      client.patch(
          ResourceType.EVENTS,
          new ObjectKey(namespace(event.about()), name(event, number)),
          PatchType.MERGE,
          patch);
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
      // It has outlived its hour.
      correlator.lost(event);
      create(event);
    }
  }

  private ObjectNode body(ObjectEvent event, String name) {
    ObjectRef about = event.about();
    ObjectNode body = Json.object().put("kind", "Event").put("apiVersion", "v1");
    body.putObject("metadata").put("name", name).put("namespace", namespace(about));
    ObjectNode involved =
        body.putObject("involvedObject")
            .put("kind", about.type().kind())
            .put("apiVersion", about.type().apiVersion())
            .put("name", about.key().name())
            .put("uid", about.uid());
    if (!about.key().namespace().isEmpty()) {
      involved.put("namespace", about.key().namespace());
    }
    body.put("type", event.warning() ? "Warning" : "Normal");
    body.put("reason", event.reason()).put("message", event.message());
    body.put("count", 1).put("firstTimestamp", now()).put("lastTimestamp", now());
    body.putObject("source").put("component", component);
    body.put("reportingComponent", component);
    return body;
  }

  private static String namespace(ObjectRef about) {
    return about.key().namespace().isEmpty() ? "default" : about.key().namespace();
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
