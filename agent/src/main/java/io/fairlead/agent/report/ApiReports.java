package io.fairlead.agent.report;

import io.fairlead.agent.lifecycle.Reports;
import io.fairlead.agent.pod.Pod;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.Statuses;
import io.fairlead.client.events.Event;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.queue.WorkQueue;
import io.fairlead.client.time.Backoff;
import io.fairlead.client.time.Ticker;
import io.fairlead.client.transport.ConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Tells the API. Of each pod only the newest status is kept; one request per pod is under way at a
/// time, and while a pod starts they are a moment apart; what fails is tried again until it is
/// accepted or the pod is gone. Safe for many threads.
public final class ApiReports implements Reports, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ApiReports.class);
  private static final int WRITERS = 4;

  /// Steps of a pod's start that follow each other within this time are told together.
  private static final Duration STEP = Duration.ofMillis(10);

  private record Told(Pod pod, ObjectNode status, boolean accepted, boolean remove) {}

  private final Client client;
  private final EventRecorder events;
  private final Consumer<String> accepted;
  private final Function<Pod, Optional<String>> identity;
  private final WorkQueue<String> queue =
      new WorkQueue<>(Ticker.system(), new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10)));
  private final Map<String, Told> newest = new ConcurrentHashMap<>();
  private final List<Thread> writers = new ArrayList<>();

  /// @param accepted is told the uid of a pod whose newest status the API has taken
  /// @param identity the uid the API knows a pod by; empty while it does not
  public ApiReports(
      Client client,
      EventRecorder events,
      Consumer<String> accepted,
      Function<Pod, Optional<String>> identity) {
    this.client = client;
    this.events = events;
    this.accepted = accepted;
    this.identity = identity;
    for (int i = 0; i < WRITERS; i++) {
      writers.add(Thread.ofVirtual().name("status writer " + i).start(this::run));
    }
  }

  @Override
  public void event(Pod pod, boolean warning, String reason, String message) {
    events.record(new Event(pod.reference(), warning, reason, message));
  }

  @Override
  public void status(Pod pod, ObjectNode status) {
    newest.compute(
        pod.uid(), (_, old) -> new Told(pod, status, false, old != null && old.remove()));
    boolean starting = Json.textOr(status, "", "phase").equals("Pending");
    queue.addAfter(pod.uid(), starting ? STEP : Duration.ZERO);
  }

  @Override
  public boolean settled(Pod pod) {
    Told told = newest.get(pod.uid());
    return told == null || told.accepted();
  }

  @Override
  public void remove(Pod pod) {
    newest.compute(
        pod.uid(),
        (_, old) -> new Told(pod, old == null ? Json.object() : old.status(), true, true));
    queue.add(pod.uid());
  }

  /// Tells the newest status once more: the object in the API is a new one.
  public void again(String uid) {
    newest.computeIfPresent(
        uid, (_, now) -> new Told(now.pod(), now.status(), false, now.remove()));
    queue.add(uid);
  }

  /// The pod is gone; nothing about it is told any more.
  public void forget(String uid) {
    newest.remove(uid);
  }

  private void run() {
    try {
      for (Optional<String> uid = queue.take(); uid.isPresent(); uid = queue.take()) {
        work(uid.get());
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private void work(String uid) {
    try {
      Told told = newest.get(uid);
      if (told != null) {
        send(uid, told);
      }
      queue.forget(uid);
    } catch (ApiException | ConnectionException e) {
      log.atInfo().addKeyValue("pod", uid).addKeyValue("why", e.getMessage()).log("not told yet");
      queue.retry(uid);
    } finally {
      queue.done(uid);
    }
  }

  private void send(String uid, Told told) {
    String known = identity.apply(told.pod()).orElse("");
    if (known.isEmpty()) {
      // Told again when there is somebody to tell about.
      return;
    }
    try {
      if (!told.accepted()) {
        client.patch(
            ResourceType.PODS,
            told.pod().key(),
            "status",
            PatchType.STRATEGIC,
            StatusPatch.of(known, told.status()));
        newest.computeIfPresent(
            uid,
            (_, now) ->
                now.status().equals(told.status())
                    ? new Told(now.pod(), now.status(), true, now.remove())
                    : now);
        accepted.accept(uid);
      }
      if (told.remove()) {
        client.delete(
            ResourceType.PODS,
            told.pod().key(),
            new DeleteOptions(
                Optional.empty(), Optional.of(known), Optional.empty(), Optional.of(0L)));
      }
    } catch (ApiException e) {
      if (!Statuses.isNotFound(e) && !Statuses.isConflict(e)) {
        throw e;
      }
      if (told.pod().isStatic()) {
        // Its mirror will be back.
        return;
      }
      // Gone, or another pod has its name: nobody to tell.
      newest.remove(uid);
      accepted.accept(uid);
    }
  }

  @Override
  public void close() {
    queue.close();
    for (Thread writer : writers) {
      writer.interrupt();
      try {
        writer.join();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
    events.close();
  }
}
