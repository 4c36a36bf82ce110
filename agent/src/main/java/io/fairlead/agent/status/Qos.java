package io.fairlead.agent.status;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Quantity;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The class of a pod by what its containers ask for.
public final class Qos {
  private static final List<String> COUNTED = List.of("cpu", "memory");

  private Qos() {}

  public static String of(Pod pod) {
    boolean any = false;
    boolean guaranteed = true;
    for (Container container : pod.allContainers().toList()) {
      JsonNode resources = container.body().path("resources");
      for (String name : COUNTED) {
        Quantity limit = quantity(resources, "limits", name);
        Quantity request = quantity(resources, "requests", name);
        any |= limit != null || request != null;
        guaranteed &= limit != null && (request == null || request.equals(limit));
      }
    }
    if (!any) {
      return "BestEffort";
    }
    return guaranteed ? "Guaranteed" : "Burstable";
  }

  private static @Nullable Quantity quantity(JsonNode resources, String list, String name) {
    String text = Json.at(resources, list, name).asString("");
    Quantity quantity = text.isEmpty() ? null : Quantity.parseOrNull(text);
    return quantity == null || quantity.isZero() ? null : quantity;
  }
}
