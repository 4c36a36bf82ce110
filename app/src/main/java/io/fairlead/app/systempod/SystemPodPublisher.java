package io.fairlead.app.systempod;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.app.systempod.SystemPod.Note;
import io.fairlead.app.systempod.SystemPod.Place;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.work.Pacer;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Shows the components of this process as pods of kube-system, and the proxy's configuration as
/// the ConfigMap that other clusters have.
///
/// How it works: one loop compares the pods in the API with the components, as an agent does with
/// its static pods. A pod that a user deletes is the order to restart its component, so the loop
/// has the component follow the cluster's configuration first, then lets the pod go and makes it
/// again: when `kubectl delete pod` returns, the change is done. Everything runs on the loop's own
/// thread, beginning with the client, so that no start waits for it.
public final class SystemPodPublisher implements AutoCloseable {
  static final String LOOP = "system-pods";
  private static final Logger log = LoggerFactory.getLogger(SystemPodPublisher.class);
  private static final Duration PERIOD = Duration.ofSeconds(2);
  private static final Duration GLANCE = Duration.ofMillis(20);

  /// Makes the client, by which pods of kube-system can be written.
  public interface Connector {
    Client connect() throws Exception;
  }

  private final Connector connector;
  private final ShownNode node;
  private final List<SystemPod> pods;
  private final Optional<ProxyConfiguration> proxy;
  private final InstantSource clock;
  private final SupervisedLoop loop;
  // Of the loop's thread; closed after it.
  private @Nullable Session session;

  /// The node that the pods are shown on.
  ///
  /// @param name of the Node; empty for none, and then no pod is shown
  /// @param addresses of the node, the first is the one others use
  /// @param version of the program
  /// @param process names this process among all of this machine
  public record ShownNode(String name, List<String> addresses, String version, String process) {
    public ShownNode {
      addresses = List.copyOf(addresses);
    }
  }

  SystemPodPublisher(
      Connector connector,
      ShownNode node,
      List<SystemPod> pods,
      Optional<ProxyConfiguration> proxy,
      InstantSource clock) {
    this.connector = connector;
    this.node = node;
    this.pods = List.copyOf(pods);
    this.proxy = proxy;
    this.clock = clock;
    // A step that changes the mode must not be cut off in the middle.
    this.loop =
        SupervisedLoop.of(LOOP).platform().every(PERIOD).stopBy(() -> {}).build(this::round);
  }

  /// Begins to show the components of this process.
  ///
  /// @param dns whether the DNS server says that it works; empty without one
  /// @param agent the same of the agent
  public static SystemPodPublisher start(
      Connector connector,
      ShownNode node,
      Optional<? extends ReconfigurableProxy> proxy,
      Optional<BooleanSupplier> dns,
      Optional<BooleanSupplier> agent,
      InstantSource clock) {
    List<SystemPod> pods = new ArrayList<>();
    proxy.ifPresent(
        one -> pods.add(new SystemPod("proxy", "kube-proxy", one::ready, new ProxyRestart(one))));
    dns.ifPresent(ready -> pods.add(inProcess("dns-server", "kube-dns", ready, node)));
    agent.ifPresent(ready -> pods.add(inProcess("agent", "fairlead-agent", ready, node)));
    SystemPodPublisher publisher =
        new SystemPodPublisher(
            connector, node, pods, proxy.map(ReconfigurableProxy::configuration), clock);
    publisher.start();
    return publisher;
  }

  private static SystemPod inProcess(
      String component, String name, BooleanSupplier ready, ShownNode node) {
    Note goesOn =
        new Note(
            false,
            "NotRestarted",
            "the "
                + component
                + " goes on: it is a part of process "
                + node.process()
                + "; fairlead down and fairlead up restart it");
    return new SystemPod(component, name, ready, _ -> List.of(goesOn));
  }

  void start() {
    loop.start();
  }

  private void round() throws Exception {
    Session open = session;
    if (open == null) {
      open = open();
      session = open;
    }
    if (open.pods.hasSynced()) {
      open.reconcile();
    } else {
      Pacer.system().pause(GLANCE);
      loop.wake();
    }
  }

  private Session open() throws Exception {
    Client client = connector.connect();
    try {
      proxy.ifPresent(running -> KubeProxyConfigMap.publish(client, running));
      String uid =
          node.name().isEmpty()
              ? ""
              : uid(client.get(ResourceType.NODES, new ObjectKey("", node.name())));
      return new Session(client, uid);
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }

  private static String uid(ObjectNode object) {
    return Json.textOr(object, "", "metadata", "uid");
  }

  /// Ends; the pods stay, as those of a node do that is switched off. Idempotent.
  @Override
  public void close() {
    loop.close();
    Session open = session;
    if (open != null) {
      open.close();
    }
  }

  /// Everything that needs the API. Owned by the loop's thread.
  private final class Session implements AutoCloseable {
    private final Client client;
    private final Place place;
    private final Informer<ApiObject> pods;
    private final EventRecorder events;
    private final Map<ObjectKey, String> shown = new HashMap<>();
    private final Map<String, SystemPodStatus> runs = new HashMap<>();
    private int run;

    Session(Client client, String nodeUid) {
      this.client = client;
      this.place = new Place(node.name(), nodeUid, node.addresses(), node.version());
      TimingSources pacing = TimingSources.system();
      this.events = new EventRecorder(client, "fairlead", clock, pacing.ticker());
      this.pods =
          new Informer<>(
              ListWatchFactory.objects(client, ResourceType.PODS, "", SystemPod.LABEL),
              ApiObject::of,
              pacing);
      pods.onChange(ChangeHandler.of(_ -> loop.wake(), _ -> loop.wake()));
      pods.start();
    }

    void reconcile() {
      Map<ObjectKey, SystemPod> wanted = new HashMap<>();
      if (!place.uid().isEmpty()) {
        SystemPodPublisher.this.pods.forEach(pod -> wanted.put(pod.key(place.node()), pod));
      }
      for (ApiObject present : pods.list()) {
        boolean ours =
            present.metadata().namespace().equals(SystemPod.NAMESPACE)
                && !SystemPod.hashOf(present.body()).isEmpty();
        if (ours && !wanted.containsKey(present.metadata().key())) {
          delete(present);
        }
      }
      wanted.forEach(this::reconcile);
    }

    private void reconcile(ObjectKey key, SystemPod pod) {
      ObjectNode object = pod.object(place);
      Optional<ApiObject> present = pods.get(key);
      if (present.isEmpty()) {
        // What was written a moment ago is not seen yet.
        present = client.find(ResourceType.PODS, key).map(ApiObject::of);
      }
      if (present.isPresent() && !present.get().metadata().beingDeleted()) {
        if (SystemPod.hashOf(present.get().body()).equals(SystemPod.hashOf(object))) {
          shown.put(key, present.get().metadata().uid());
          report(pod, present.get());
          return;
        }
        delete(present.get());
        create(pod, object, List.of());
        return;
      }
      // A pod that is gone without its last words was deleted by force.
      boolean restart = present.isPresent() || shown.remove(key) != null;
      List<Note> notes = restart ? pod.restart().restart(client) : List.of();
      if (restart) {
        runs.remove(pod.component());
      }
      present.ifPresent(this::delete);
      create(pod, object, notes);
    }

    private void create(SystemPod pod, ObjectNode object, List<Note> notes) {
      ApiObject created;
      try {
        created = ApiObject.of(client.create(ResourceType.PODS, SystemPod.NAMESPACE, object));
      } catch (ApiException e) {
        if (!ApiErrors.isAlreadyExists(e)) {
          throw e;
        }
        return;
      }
      shown.put(created.metadata().key(), created.metadata().uid());
      report(pod, created);
      for (Note note : notes) {
        log.atInfo().addKeyValue("pod", created.metadata().key()).log(note.message());
        events.record(
            new ObjectEvent(
                // As of static pods: kubectl looks for them by the hash.
                new ObjectRef(
                    ResourceType.PODS, created.metadata().key(), SystemPod.hashOf(created.body())),
                note.warning(),
                note.reason(),
                note.message()));
      }
    }

    private void report(SystemPod pod, ApiObject present) {
      SystemPodStatus own = runs.computeIfAbsent(pod.component(), this::began);
      ObjectNode status = own.status(pod, place, present.body().path("status"), clock.instant());
      if (SystemPodStatus.holds(present.body().path("status"), status)) {
        return;
      }
      ObjectNode patch = Json.object();
      Json.child(patch, "metadata").put("uid", present.metadata().uid());
      patch.set("status", status);
      try {
        client.patch(ResourceType.PODS, present.metadata().key(), "status", PatchType.MERGE, patch);
      } catch (ApiException e) {
        if (!ApiErrors.isNotFound(e) && !ApiErrors.isConflict(e)) {
          throw e;
        }
        // Deleted meanwhile: the next round sees that.
      }
    }

    private SystemPodStatus began(String component) {
      run++;
      Instant now = clock.instant();
      return new SystemPodStatus("fairlead://" + component + "-" + node.process() + "-" + run, now);
    }

    private void delete(ApiObject pod) {
      try {
        client.delete(
            ResourceType.PODS,
            pod.metadata().key(),
            DeleteOptions.DEFAULT.onlyUid(pod.metadata().uid()).within(0));
      } catch (ApiException e) {
        if (!ApiErrors.isNotFound(e) && !ApiErrors.isConflict(e)) {
          throw e;
        }
        // Gone, or already another one.
      }
    }

    @Override
    public void close() {
      pods.close();
      events.close();
      client.close();
    }
  }
}
