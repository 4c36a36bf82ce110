package io.fairlead.controller.endpointslice;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.api.changes.RecordedChange;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.controller.runtime.ControllerContext;
import io.fairlead.controller.servicestatus.ReasonJson;
import io.fairlead.controller.serving.EndpointNode;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.EndpointReason;
import io.fairlead.controller.serving.EndpointReasonFinder;
import io.fairlead.controller.serving.Service;
import io.fairlead.controller.serving.ServicePodIndex;
import io.fairlead.controller.serving.ServicePodInformer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Records which endpoints came, went or changed with each slice that is written, and why. Safe for
/// many threads.
public final class EndpointRecorder {
  private static final int MOST_PODS = 20;

  private final ChangeRing ring = new ChangeRing("controllers", ChangeRing.DEFAULT_SIZE);
  private final InstantSource clock;
  private final ServicePodIndex catalog;

  private EndpointRecorder(ControllerContext wiring) {
    this.clock = wiring.clock();
    this.catalog = ServicePodInformer.of(wiring).catalog();
  }

  static EndpointRecorder of(ControllerContext wiring) {
    return wiring.shared(EndpointRecorder.class, EndpointRecorder::new);
  }

  public ChangeRing ring() {
    return ring;
  }

  /// One endpoint before and after; a state is empty where it is not in the slice.
  private record EndpointChange(
      String pod, String uid, String address, String from, String to, List<EndpointReason> why) {}

  /// @param before what the slice had
  /// @param after what it has now
  /// @param stored what the API server answered
  void wrote(
      Service service,
      List<SliceEndpoint> before,
      List<SliceEndpoint> after,
      String addressType,
      ObjectMeta stored,
      Optional<Instant> trigger,
      Duration took) {
    List<EndpointChange> changes = changes(service, before, after);
    if (changes.isEmpty()) {
      return;
    }
    ObjectKey key = service.key();
    String slice = stored.name();
    String version = stored.resourceVersion();
    int ready = (int) after.stream().filter(SliceEndpoint::isReady).count();
    // Proxies may know the slice before the answer is here: the request is what they follow.
    Instant sent = clock.instant().minus(took);
    ring.add(
        new RecordedChange(
            "endpoint",
            sent,
            out -> {
              out.put("namespace", key.namespace())
                  .put("service", key.name())
                  .put("slice", slice)
                  .put("addressType", addressType)
                  .put("resourceVersion", version)
                  .put("ready", ready);
              trigger.ifPresent(at -> out.put("trigger", at.toString()));
              out.put("tookMillis", took.toMillis());
              ArrayNode pods = out.putArray("pods");
              changes.stream().limit(MOST_PODS).forEach(each -> write(pods.addObject(), each));
              if (changes.size() > MOST_PODS) {
                out.put("podsMore", changes.size() - MOST_PODS);
              }
            }));
  }

  private static void write(ObjectNode out, EndpointChange change) {
    out.put("pod", change.pod())
        .put("uid", change.uid())
        .put("address", change.address())
        .put("from", change.from())
        .put("to", change.to());
    ArrayNode reasons = out.putArray("reasons");
    change.why().forEach(reason -> reasons.add(ReasonJson.of(reason)));
  }

  private List<EndpointChange> changes(
      Service service, List<SliceEndpoint> before, List<SliceEndpoint> after) {
    Map<String, SliceEndpoint> was = byAddress(before);
    Map<String, SliceEndpoint> is = byAddress(after);
    List<EndpointChange> changes = new ArrayList<>();
    Map<String, EndpointPod> pods = new HashMap<>();
    is.forEach(
        (address, endpoint) -> {
          String from = state(was.get(address));
          String to = state(endpoint);
          if (!from.equals(to)) {
            changes.add(change(service, endpoint, address, from, to, pods));
          }
        });
    was.forEach(
        (address, endpoint) -> {
          if (!is.containsKey(address)) {
            changes.add(change(service, endpoint, address, state(endpoint), "absent", pods));
          }
        });
    return changes;
  }

  private EndpointChange change(
      Service service,
      SliceEndpoint endpoint,
      String address,
      String from,
      String to,
      Map<String, EndpointPod> pods) {
    if (pods.isEmpty()) {
      catalog.members(service.key()).forEach(pod -> pods.put(pod.key().name(), pod));
    }
    EndpointPod pod = pods.get(endpoint.target().name());
    return new EndpointChange(
        endpoint.target().name(),
        endpoint.target().uid(),
        address,
        from,
        to,
        pod == null || to.equals("ready") ? List.of() : reasons(service, pod));
  }

  private List<EndpointReason> reasons(Service service, EndpointPod pod) {
    Map<String, EndpointNode> nodes = new HashMap<>();
    catalog.node(pod.nodeName()).ifPresent(node -> nodes.put(node.name(), node));
    return EndpointReasonFinder.selected(service, pod, nodes);
  }

  private static Map<String, SliceEndpoint> byAddress(List<SliceEndpoint> endpoints) {
    Map<String, SliceEndpoint> all = new LinkedHashMap<>();
    endpoints.forEach(each -> all.put(each.addresses().getFirst(), each));
    return all;
  }

  private static String state(@Nullable SliceEndpoint endpoint) {
    if (endpoint == null) {
      return "absent";
    }
    if (Boolean.TRUE.equals(endpoint.conditions().terminating())) {
      return "terminating";
    }
    return endpoint.isReady() ? "ready" : "notReady";
  }
}
