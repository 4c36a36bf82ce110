package io.fairlead.controller.placement;

import io.fairlead.api.json.Json;
import io.fairlead.client.objects.V1Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/// What a pod puts up with.
///
/// @param key empty for every key
/// @param exists whatever the value; otherwise the value must be equal
/// @param effect empty for every effect
/// @param seconds how long, for taints that drive pods away; empty for always
public record Toleration(
    String key, boolean exists, String value, String effect, OptionalLong seconds) {

  public static List<Toleration> of(JsonNode list) {
    List<Toleration> read = new ArrayList<>();
    for (JsonNode one : list) {
      JsonNode seconds = one.path("tolerationSeconds");
      read.add(
          new Toleration(
              Json.textOr(one, "", "key").intern(),
              Json.textOr(one, "Equal", "operator").equals("Exists"),
              Json.textOr(one, "", "value").intern(),
              Json.textOr(one, "", "effect").intern(),
              seconds.isNumber()
                  ? OptionalLong.of(Math.max(0, seconds.asLong(0)))
                  : OptionalLong.empty()));
    }
    return read;
  }

  public static List<Toleration> of(List<V1Pod.Toleration> list) {
    List<Toleration> read = new ArrayList<>(list.size());
    for (V1Pod.Toleration one : list) {
      Long seconds = one.seconds();
      read.add(
          new Toleration(
              one.key(),
              one.operator().equals("Exists"),
              one.value(),
              one.effect(),
              seconds == null ? OptionalLong.empty() : OptionalLong.of(Math.max(0, seconds))));
    }
    return read;
  }

  public boolean tolerates(Taint taint) {
    return (effect.isEmpty() || effect.equals(taint.effect()))
        && (key.isEmpty() ? exists : key.equals(taint.key()))
        && (exists || value.equals(taint.value()));
  }
}
