package io.fairlead.ui.model;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.client.objects.V1Service;
import io.fairlead.insight.explain.EndpointView;
import io.fairlead.insight.explain.Row;
import io.fairlead.insight.explain.RowItem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// One Service as its page draws it: for each port the fronts, the endpoints and the pods that are
/// left out; and why. Pure but for the questions about rights.
final class ServiceDetail {
  private final JudgedService state;
  private final List<V1Node> nodes;
  private final Map<String, V1Pod> pods = new HashMap<>();

  private ServiceDetail(JudgedService state, List<V1Node> nodes) {
    this.state = state;
    this.nodes = nodes;
    state
        .evidence()
        .objects()
        .pods()
        .value()
        .orElse(List.of())
        .forEach(pod -> pods.put(pod.metadata().name(), pod));
  }

  /// @param state empty when there is no such Service
  static ObjectNode of(
      ObjectKey key, Optional<JudgedService> state, Rights rights, List<V1Node> nodes) {
    ObjectNode value = Json.object().put("namespace", key.namespace()).put("name", key.name());
    if (!rights.mayList(ResourceType.SERVICES, key.namespace())
        && !rights.may(new Rights.Question("get", "", "services", key.namespace()))) {
      value
          .putObject("forbidden")
          .put("verb", "get")
          .put("resource", "services")
          .put("namespace", key.namespace());
      return value;
    }
    value.put("exists", state.isPresent());
    if (state.isEmpty()) {
      return value;
    }
    boolean seesPods = ServiceListWindow.seesPods(rights, key.namespace());
    value.set("row", ServiceListWindow.row(state.get(), seesPods));
    if (!seesPods) {
      value
          .putObject("forbiddenPods")
          .put("verb", "list")
          .put("resource", "pods, endpointslices.discovery.k8s.io")
          .put("namespace", key.namespace());
      return value;
    }
    value.put(
        "patchable", rights.may(new Rights.Question("patch", "", "services", key.namespace())));
    new ServiceDetail(state.get(), nodes).writeTo(value);
    return value;
  }

  private void writeTo(ObjectNode value) {
    V1Service.Spec spec = state.service().spec().spec();
    value
        .put("headless", state.service().headless())
        .put("alias", state.service().externalName() ? spec.externalName() : "")
        .put("selector", state.service().selector())
        .put("fqdn", state.service().fqdn("cluster.local"))
        .put("affinity", spec.sessionAffinity());
    value.set("explanation", SentenceJson.of(state.explanation()));
    ObjectNode ports = value.putObject("ports");
    ArrayNode order = value.putArray("portOrder");
    List<V1EndpointSlice> slices = state.evidence().objects().slices().value().orElse(List.of());
    for (V1Service.Port port : spec.ports()) {
      String id = port.name().isEmpty() ? "" + port.port() : port.name();
      order.add(id);
      port(ports.putObject(id), port, EndpointView.of(slices, port.name(), port.protocol()));
    }
    if (spec.ports().isEmpty() && !state.service().externalName()) {
      order.add("all");
      port(ports.putObject("all"), null, EndpointView.withoutPorts(slices));
    }
    slices(value.putObject("slices"), slices);
  }

  /// @param port null for a Service without ports
  private void port(ObjectNode out, V1Service.@Nullable Port port, List<EndpointView> endpoints) {
    List<EndpointView> used = EndpointView.used(endpoints);
    out.put("name", port == null ? "" : port.name())
        .put("port", port == null ? 0 : port.port())
        .put("protocol", port == null ? "" : port.protocol());
    fronts(out.putObject("fronts"), port, used);
    ObjectNode shown = out.putObject("endpoints");
    ArrayNode order = out.putArray("order");
    Set<String> named = new HashSet<>();
    endpoints.stream()
        .filter(each -> used.contains(each) || each.terminating())
        .sorted(Comparator.comparing(EndpointView::place))
        .forEach(
            each -> {
              if (!shown.has(each.place())) {
                order.add(each.place());
                named.add(each.pod());
                endpoint(shown.putObject(each.place()), each, used);
              }
            });
    leftOut(out.putObject("leftOut"), named);
  }

  private void endpoint(ObjectNode out, EndpointView each, List<EndpointView> used) {
    boolean serves = used.contains(each);
    out.put("address", each.address())
        .put("port", each.port())
        .put("pod", each.pod())
        .put("node", each.node())
        .put("slice", each.slice())
        .put("state", each.terminating() ? "terminating" : each.ready() ? "ready" : "notReady")
        .put("serves", serves)
        .put("expected", serves ? 1.0 / used.size() : 0.0);
    Optional.ofNullable(pods.get(each.pod()))
        .flatMap(pod -> pod.status().condition("Ready"))
        .flatMap(condition -> condition.transitionTime())
        .ifPresent(since -> out.put("since", since.toString()));
  }

  /// The pods of the row `Endpoints` that are no endpoint of this port.
  private void leftOut(ObjectNode out, Set<String> named) {
    state.explanation().rows().stream()
        .filter(row -> row.name().equals("Endpoints"))
        .map(Row::items)
        .flatMap(List::stream)
        .filter(item -> item.code().isPresent() && !named.contains(item.pod()))
        .sorted(Comparator.comparing(RowItem::pod))
        .forEach(
            item -> {
              ObjectNode one = out.putObject(item.pod());
              one.put("pod", item.pod())
                  .put("address", item.address())
                  .put("node", item.node())
                  .put("state", item.state().equals("leftOut") ? "failing" : item.state())
                  .put("code", item.code().map(Object::toString).orElse(""));
              one.set("message", SentenceJson.of(item.text()));
            });
  }

  /// Where clients reach the port, and what becomes of their packets.
  private void fronts(ObjectNode out, V1Service.@Nullable Port port, List<EndpointView> used) {
    V1Service.Spec spec = state.service().spec().spec();
    if (port == null) {
      return;
    }
    boolean internal = spec.internalTrafficPolicy().equals("Local");
    boolean external = spec.externalTrafficPolicy().equals("Local");
    for (String address : state.service().clusterIps()) {
      front(out, "ClusterIP", address, port.port(), used, internal);
    }
    for (String address : spec.externalIps()) {
      front(out, "ExternalIP", address, port.port(), used, external);
    }
    for (V1Service.Ingress each : state.service().spec().ingress()) {
      front(
          out,
          "LoadBalancer",
          each.ip().isEmpty() ? each.hostname() : each.ip(),
          port.port(),
          used,
          external);
    }
    if (port.nodePort() > 0) {
      front(out, "NodePort", "", port.nodePort(), used, external);
    }
  }

  private void front(
      ObjectNode out,
      String kind,
      String address,
      int port,
      List<EndpointView> used,
      boolean local) {
    String shown = address.indexOf(':') >= 0 ? "[" + address + "]" : address;
    ObjectNode front =
        out.putObject(kind + " " + shown + ":" + port)
            .put("kind", kind)
            .put("text", shown + ":" + port)
            .put("verdict", used.isEmpty() ? "reject" : "forward");
    if (local && !used.isEmpty()) {
      List<String> without = new ArrayList<>();
      for (V1Node node : nodes) {
        String name = node.metadata().name();
        if (used.stream().noneMatch(each -> each.node().equals(name))) {
          without.add(name);
        }
      }
      without.sort(null);
      ArrayNode drops = front.putArray("dropsOn");
      without.forEach(drops::add);
    }
  }

  /// The slices behind it, for who wants to see them.
  private static void slices(ObjectNode out, List<V1EndpointSlice> slices) {
    for (V1EndpointSlice slice : slices) {
      out.putObject(slice.metadata().name())
          .put("version", slice.metadata().resourceVersion())
          .put("addressType", slice.addressType())
          .put("endpoints", slice.endpoints().size());
    }
  }
}
