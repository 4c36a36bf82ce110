package io.fairlead.controller.servicestatus;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ObjectKey;
import io.fairlead.controller.serving.EndpointNode;
import io.fairlead.controller.serving.EndpointPod;
import io.fairlead.controller.serving.EndpointReason;
import io.fairlead.controller.serving.EndpointReasonFinder;
import io.fairlead.controller.serving.ExcludedPod;
import io.fairlead.controller.serving.Service;
import io.fairlead.controller.serving.ServicePodIndex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The reasons of the endpoint controllers as one document.
///
/// ```json
/// {"kind": "EndpointReasonList", "apiVersion": "fairlead.dev/v1", "items": [
///   {"namespace": "default", "service": "web", "selected": 4, "ready": 3, "pods": [
///     {"name": "web-4", "uid": "…", "node": "c", "addresses": ["10.244.3.9"], "reasons": [
///       {"code": "NotReady", "since": "…", "holdups": [
///         {"kind": "READINESS_PROBE", "subject": "web", "detail": "GET :8080/healthz"}]}]}]}]}
/// ```
///
/// A pod that is nearly selected is looked for only when one Service is asked about: that takes a
/// look at every pod of its namespace.
public final class ReasonsDocument {
  private final ServicePodIndex catalog;

  public ReasonsDocument(ServicePodIndex catalog) {
    this.catalog = catalog;
  }

  /// About one Service.
  ///
  /// @throws ApiException 404 when there is no such Service
  public ObjectNode of(ObjectKey key) {
    Service service =
        catalog.service(key).orElseThrow(() -> ApiException.notFound("", "services", key.name()));
    ObjectNode document = empty();
    add(document, service, catalog.leftOut(key));
    return document;
  }

  /// About all of these that select pods, in the order of their keys; those without a pod left out
  /// are told too.
  public ObjectNode of(Collection<Service> services) {
    Map<String, EndpointNode> nodes = new HashMap<>();
    catalog.nodes().forEach(node -> nodes.put(node.name(), node));
    List<Service> ordered = new ArrayList<>(services);
    ordered.sort(
        Comparator.comparing((Service service) -> service.key().namespace())
            .thenComparing(service -> service.key().name()));
    ObjectNode document = empty();
    for (Service service : ordered) {
      if (service.selectsPods()) {
        List<ExcludedPod> leftOut = new ArrayList<>();
        for (EndpointPod pod : catalog.members(service.key())) {
          List<EndpointReason> reasons = EndpointReasonFinder.selected(service, pod, nodes);
          if (!reasons.isEmpty()) {
            leftOut.add(new ExcludedPod(pod, reasons));
          }
        }
        add(document, service, leftOut);
      }
    }
    return document;
  }

  private static ObjectNode empty() {
    ObjectNode document =
        Json.object().put("kind", "EndpointReasonList").put("apiVersion", "fairlead.dev/v1");
    document.putArray("items");
    return document;
  }

  private void add(ObjectNode document, Service service, List<ExcludedPod> leftOut) {
    int selected = catalog.members(service.key()).size();
    long out = leftOut.stream().filter(left -> service.selects(left.pod().labels())).count();
    ObjectNode item =
        document
            .withArray("items")
            .addObject()
            .put("namespace", service.key().namespace())
            .put("service", service.key().name())
            .put("selected", selected)
            .put("ready", selected - out);
    ArrayNode pods = item.putArray("pods");
    leftOut.forEach(left -> pods.add(pod(left)));
  }

  private static ObjectNode pod(ExcludedPod left) {
    EndpointPod pod = left.pod();
    ObjectNode json =
        Json.object()
            .put("name", pod.key().name())
            .put("uid", pod.metadata().uid())
            .put("node", pod.nodeName());
    ArrayNode addresses = json.putArray("addresses");
    pod.addresses().forEach(address -> addresses.add(address.text()));
    ArrayNode reasons = json.putArray("reasons");
    left.reasons().forEach(reason -> reasons.add(ReasonJson.of(reason)));
    return json;
  }
}
