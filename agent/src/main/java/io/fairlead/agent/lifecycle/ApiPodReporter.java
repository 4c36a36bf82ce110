package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Pod;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.work.Backoff;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Reports pods to the API. Of each pod only the newest status is kept; one request per pod is
/// under way at a time, and while a pod starts they are a moment apart; what fails is tried again
/// until it is accepted or the pod is gone. Safe for many threads.
public final class ApiPodReporter implements PodReporter, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ApiPodReporter.class);
  private static final int WRITERS = 4;

  public static final String LOOP = "pod-status-writer";

  /// Steps of a pod's start that follow each other within this time are reported together.
  private static final Duration STEP = Duration.ofMillis(10);

  /// @param version of the object when it first had these addresses
  private record AcceptedAddresses(Set<String> addresses, String version) {}

  private record Report(Pod pod, ObjectNode status, boolean accepted, boolean remove) {}

  private final Client client;
  private final EventRecorder events;
  private final Consumer<String> accepted;
  private final Function<Pod, Optional<String>> identity;
  private final WorkQueue<String> queue =
      new WorkQueue<>(Ticker.system(), new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10)));
  private final Map<String, Report> newest = new ConcurrentHashMap<>();
  private final Map<String, AcceptedAddresses> addresses = new ConcurrentHashMap<>();
  private final List<SupervisedLoop> writers = new ArrayList<>();

  /// @param accepted gets the uid of a pod whose newest status the API has taken
  /// @param identity the uid the API knows a pod by; empty while it does not
  public ApiPodReporter(
      Client client,
      EventRecorder events,
      Consumer<String> accepted,
      Function<Pod, Optional<String>> identity) {
    this.client = client;
    this.events = events;
    this.accepted = accepted;
    this.identity = identity;
    for (int i = 0; i < WRITERS; i++) {
      SupervisedLoop writer = SupervisedLoop.of(LOOP).key(i).build(this::round);
      writers.add(writer);
      writer.start();
    }
  }

  @Override
  public void event(Pod pod, boolean warning, String reason, String message) {
    events.record(new ObjectEvent(pod.reference(), warning, reason, message));
  }

  @Override
  public void status(Pod pod, ObjectNode status) {
    newest.compute(
        pod.uid(), (_, old) -> new Report(pod, status, false, old != null && old.remove()));
    boolean starting = Json.textOr(status, "", "phase").equals("Pending");
    queue.addAfter(pod.uid(), starting ? STEP : Duration.ZERO);
  }

  @Override
  public void hurry(Pod pod) {
    Report report = newest.get(pod.uid());
    if (report != null && !report.accepted()) {
      queue.add(pod.uid());
    }
  }

  @Override
  public Optional<String> acceptedVersion(Pod pod, List<String> wanted) {
    return Optional.ofNullable(addresses.get(pod.uid()))
        .filter(known -> known.addresses().equals(Set.copyOf(wanted)))
        .map(AcceptedAddresses::version);
  }

  private void accepted(String uid, ObjectNode object) {
    Set<String> shown = new HashSet<>();
    object.path("status").path("podIPs").forEach(one -> shown.add(Json.textOr(one, "", "ip")));
    String version = Json.textOr(object, "", "metadata", "resourceVersion");
    addresses.compute(
        uid,
        (_, known) ->
            known != null && known.addresses().equals(shown)
                ? known
                : new AcceptedAddresses(Set.copyOf(shown), version));
  }

  @Override
  public boolean settled(Pod pod) {
    Report report = newest.get(pod.uid());
    return report == null || report.accepted();
  }

  @Override
  public void remove(Pod pod) {
    newest.compute(
        pod.uid(),
        (_, old) -> new Report(pod, old == null ? Json.object() : old.status(), true, true));
    queue.add(pod.uid());
  }

  /// Reports the newest status once more: the object in the API is a new one.
  public void again(String uid) {
    newest.computeIfPresent(
        uid, (_, now) -> new Report(now.pod(), now.status(), false, now.remove()));
    queue.add(uid);
  }

  /// The pod is gone; nothing about it is reported any more.
  public void forget(String uid) {
    newest.remove(uid);
    addresses.remove(uid);
  }

  private void round() throws InterruptedException {
    Optional<String> uid = queue.take();
    if (uid.isPresent()) {
      work(uid.get());
    } else {
      // Closed.
      writers.forEach(SupervisedLoop::finish);
    }
  }

  private void work(String uid) {
    try {
      Report report = newest.get(uid);
      if (report != null) {
        send(uid, report);
      }
      queue.forget(uid);
    } catch (ApiException | ConnectionException e) {
      log.atInfo()
          .addKeyValue("pod", uid)
          .addKeyValue("why", e.getMessage())
          .log("pod status not reported yet, trying again");
      queue.retry(uid);
    } catch (RuntimeException e) {
      queue.retry(uid);
      throw e;
    } finally {
      queue.done(uid);
    }
  }

  private void send(String uid, Report report) {
    String known = identity.apply(report.pod()).orElse("");
    if (known.isEmpty()) {
      // Reported again when the API has the mirror.
      return;
    }
    try {
      if (!report.accepted()) {
        accepted(
            uid,
            client.patch(
                ResourceType.PODS,
                report.pod().key(),
                "status",
                PatchType.STRATEGIC,
                StatusPatch.of(known, report.status())));
        newest.computeIfPresent(
            uid,
            (_, now) ->
                now.status().equals(report.status())
                    ? new Report(now.pod(), now.status(), true, now.remove())
                    : now);
        accepted.accept(uid);
      }
      if (report.remove()) {
        client.delete(
            ResourceType.PODS,
            report.pod().key(),
            new DeleteOptions(
                Optional.empty(), Optional.of(known), Optional.empty(), Optional.of(0L)));
      }
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e) && !ApiErrors.isConflict(e)) {
        throw e;
      }
      if (report.pod().isStatic()) {
        // Its mirror will be back.
        return;
      }
      // Gone, or another pod has its name: nothing to report.
      newest.remove(uid);
      accepted.accept(uid);
    }
  }

  @Override
  public void close() {
    queue.close();
    writers.forEach(SupervisedLoop::close);
    events.close();
  }
}
