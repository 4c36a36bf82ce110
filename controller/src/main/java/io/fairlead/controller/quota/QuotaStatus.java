package io.fairlead.controller.quota;

import io.fairlead.api.json.Json;
import io.fairlead.api.quota.QuotaSubject;
import io.fairlead.api.quota.ResourceAmounts;
import io.fairlead.api.schema.Quantity;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a quota's status says: how much there is and how much is used. Pure.
final class QuotaStatus {
  private QuotaStatus() {}

  static ObjectNode of(JsonNode spec, Iterable<QuotaSubject> subjects) {
    Map<String, Quantity> hard = ResourceAmounts.of(spec.path("hard"));
    Map<String, Quantity> used = new TreeMap<>();
    hard.keySet().forEach(name -> used.put(name, Quantity.ZERO));
    for (QuotaSubject subject : subjects) {
      if (subject.fits(spec)) {
        subject
            .usage()
            .forEach((name, amount) -> used.computeIfPresent(name, (_, sum) -> sum.plus(amount)));
      }
    }
    ObjectNode status = Json.object();
    if (!hard.isEmpty()) {
      ResourceAmounts.write(hard, status.putObject("hard"));
      ResourceAmounts.write(used, status.putObject("used"));
    }
    return status;
  }
}
