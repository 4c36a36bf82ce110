package io.fairlead.ui.model;

import io.fairlead.api.json.Json;
import io.fairlead.client.ResourceType;
import io.fairlead.insight.finding.Finding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The list of Services as one user may see it. Pure but for the questions about rights.
final class ServiceListWindow {
  private ServiceListWindow() {}

  /// A window of the list: `items` by key, their `order`, how many there are in all.
  static ObjectNode of(Collection<JudgedService> all, ServiceQuery query, Rights rights) {
    Map<String, Boolean> visible = new HashMap<>();
    TreeSet<String> hidden = new TreeSet<>();
    List<JudgedService> matching = new ArrayList<>();
    Map<JudgedService.Health, Integer> counts = new EnumMap<>(JudgedService.Health.class);
    for (JudgedService one : all) {
      String namespace = one.service().key().namespace();
      if (!visible.computeIfAbsent(
          namespace, name -> rights.mayList(ResourceType.SERVICES, name))) {
        hidden.add(namespace);
      } else if (query.matches(one)) {
        counts.merge(one.health(), 1, Integer::sum);
        if (query.hasState(one)) {
          matching.add(one);
        }
      }
    }
    matching.sort(query.order());
    ObjectNode value = Json.object().put("total", matching.size());
    ObjectNode sums = value.putObject("counts");
    for (JudgedService.Health health : JudgedService.Health.values()) {
      sums.put(health.toString(), counts.getOrDefault(health, 0));
    }
    // Not which: their names are not for this user.
    value.put("forbidden", !hidden.isEmpty());
    ObjectNode items = value.putObject("items");
    ArrayNode order = value.putArray("order");
    int end = Math.min(matching.size(), query.offset() + query.limit());
    for (int i = query.offset(); i < end; i++) {
      JudgedService one = matching.get(i);
      String key = one.service().key().toString();
      order.add(key);
      items.set(key, row(one, seesPods(rights, one.service().key().namespace())));
    }
    return value;
  }

  /// Whether the user may see what a Service's state is made of.
  static boolean seesPods(Rights rights, String namespace) {
    return rights.mayList(ResourceType.PODS, namespace)
        && rights.mayList(ResourceType.ENDPOINT_SLICES, namespace);
  }

  /// One row.
  ///
  /// @param pods whether the user may see the pods behind it
  static ObjectNode row(JudgedService one, boolean pods) {
    ObjectNode row =
        Json.object()
            .put("key", one.service().key().toString())
            .put("namespace", one.service().key().namespace())
            .put("name", one.service().key().name())
            .put("type", one.type());
    one.addresses().forEach(row.putArray("addresses")::add);
    one.ports().forEach(row.putArray("ports")::add);
    ObjectNode summary = one.explanation().summary();
    boolean counted =
        pods && one.service().selecting().selectsPods() && summary.path("podsSelected").isNumber();
    if (counted) {
      row.set("ready", summary.get("podsServing"));
      row.set("selected", summary.get("podsSelected"));
    } else {
      row.putNull("ready").putNull("selected");
    }
    row.put("state", pods ? one.health().toString() : "none");
    Finding first = pods ? one.explanation().first().orElse(null) : null;
    if (first == null) {
      row.putNull("why");
    } else {
      row.set("why", SentenceJson.of(first));
    }
    return row;
  }
}
