package io.fairlead.client.events;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.Statuses;
import io.fairlead.client.time.Ticker;
import io.fairlead.client.transport.ConnectionException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Writes events, from a thread of its own. Telling is never worth failing for: when the server
/// does not take an event, or more of them wait than the queue holds, the event is dropped with a
/// line in the log.
public final class EventRecorder implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);
  private static final int WAITING = 1000;

  private final Client client;
  private final String component;
  private final InstantSource clock;
  private final Ticker ticker;
  private final EventCorrelator correlator;
  private final BlockingQueue<Event> waiting = new ArrayBlockingQueue<>(WAITING);
  private final Thread thread;

  /// @param component who tells, such as `garbage-collector`
  public EventRecorder(Client client, String component, InstantSource clock, Ticker ticker) {
    this.client = client;
    this.component = component;
    this.clock = clock;
    this.ticker = ticker;
    this.correlator = new EventCorrelator(ticker);
    this.thread = Thread.ofVirtual().name("events-" + component).start(this::run);
  }

  /// Hands an event over. Never blocks, never fails.
  public void record(Event event) {
    if (!waiting.offer(event)) {
      log.atWarn().addKeyValue("about", event.about()).log("too many events, one dropped");
    }
  }

  /// Stops; events still waiting are dropped. Idempotent.
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        write(waiting.take());
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private void write(Event event) {
    try {
      switch (correlator.observe(event)) {
        case EventCorrelator.Outcome.Drop() -> {}
        case EventCorrelator.Outcome.Create(Event shown) -> create(shown);
        case EventCorrelator.Outcome.Count(Event shown, long number, int count) ->
            count(shown, number, count);
      }
    } catch (ApiException | ConnectionException e) {
      log.atInfo()
          .addKeyValue("about", event.about())
          .addKeyValue("why", e.getMessage())
          .log("event not written");
    }
  }

  private void create(Event event) {
    long number = ticker.nanos();
    client.create(ResourceType.EVENTS, namespace(event.about()), body(event, name(event, number)));
    correlator.created(event, number);
  }

  private static String name(Event event, long number) {
    return event.about().key().name() + "." + Long.toHexString(number);
  }

  private void count(Event event, long number, int count) {
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
      if (!Statuses.isNotFound(e)) {
        throw e;
      }
      // It has outlived its hour.
      correlator.lost(event);
      create(event);
    }
  }

  private ObjectNode body(Event event, String name) {
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
