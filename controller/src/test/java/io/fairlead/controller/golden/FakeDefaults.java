package io.fairlead.controller.golden;

import io.fairlead.api.json.Json;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/// What a real server adds to a Service and the fake does not: addresses and families.
public final class FakeDefaults implements UnaryOperator<ObjectNode> {
  private final AtomicInteger next = new AtomicInteger(1);

  @Override
  public ObjectNode apply(ObjectNode service) {
    ObjectNode spec = Json.child(service, "spec");
    if ("ExternalName".equals(Json.text(spec, "type"))) {
      return service;
    }
    if (!spec.has("clusterIP")) {
      spec.put("clusterIP", "10.96.0." + next.getAndIncrement());
    }
    if (!spec.has("ipFamilies")) {
      spec.putArray("ipFamilies").add("IPv4");
    }
    return service;
  }
}
