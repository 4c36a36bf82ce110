package io.fairlead.server.admission;

import io.fairlead.api.quota.ResourceAmounts;
import io.fairlead.api.schema.Quantity;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// One bound of a LimitRange, held against what is asked for.
final class LimitRangeCheck {
  private final JsonNode limit;
  private final String type;
  private final List<String> faults;

  /// @param faults where what is found is added
  LimitRangeCheck(JsonNode limit, List<String> faults) {
    this.limit = limit;
    this.type = limit.path("type").asString("");
    this.faults = faults;
  }

  void check(Map<String, Quantity> requests, Map<String, Quantity> limits) {
    ResourceAmounts.of(limit.path("min"))
        .forEach((name, min) -> least(name, min, requests, limits));
    ResourceAmounts.of(limit.path("max")).forEach((name, max) -> most(name, max, requests, limits));
    ResourceAmounts.of(limit.path("maxLimitRequestRatio"))
        .forEach((name, ratio) -> ratio(name, ratio, requests, limits));
  }

  /// Of claims, which have no limits.
  void checkRequests(Map<String, Quantity> requests) {
    ResourceAmounts.of(limit.path("min"))
        .forEach((name, min) -> least(name, min, requests, Map.of()));
    ResourceAmounts.of(limit.path("max"))
        .forEach(
            (name, max) -> {
              Quantity request = requests.get(name);
              if (request != null && request.compareTo(max) > 0) {
                faults.add(usage("maximum", name, max) + ", but request is " + request);
              }
            });
  }

  private void least(
      String name, Quantity min, Map<String, Quantity> requests, Map<String, Quantity> limits) {
    Quantity request = requests.get(name);
    Quantity bound = limits.get(name);
    if (request == null) {
      faults.add(usage("minimum", name, min) + ".  No request is specified");
    } else if (request.compareTo(min) < 0) {
      faults.add(usage("minimum", name, min) + ", but request is " + request);
    } else if (bound != null && bound.compareTo(min) < 0) {
      faults.add(usage("minimum", name, min) + ", but limit is " + bound);
    }
  }

  private void most(
      String name, Quantity max, Map<String, Quantity> requests, Map<String, Quantity> limits) {
    Quantity request = requests.get(name);
    Quantity bound = limits.get(name);
    if (bound == null) {
      faults.add(usage("maximum", name, max) + ".  No limit is specified");
    } else if (bound.compareTo(max) > 0) {
      faults.add(usage("maximum", name, max) + ", but limit is " + bound);
    } else if (request != null && request.compareTo(max) > 0) {
      faults.add(usage("maximum", name, max) + ", but request is " + request);
    }
  }

  private void ratio(
      String name, Quantity ratio, Map<String, Quantity> requests, Map<String, Quantity> limits) {
    String text = name + " max limit to request ratio per " + type + " is " + ratio + ", but ";
    Quantity request = requests.get(name);
    Quantity bound = limits.get(name);
    if (request == null || request.isZero()) {
      faults.add(text + "no request is specified or request is 0");
    } else if (bound == null || bound.isZero()) {
      faults.add(text + "no limit is specified or limit is 0");
    } else {
      double provided = (double) bound.milliValue() / request.milliValue();
      if (provided > ratio.milliValue() / 1000.0) {
        faults.add(text + String.format(Locale.ROOT, "provided ratio is %f", provided));
      }
    }
  }

  private String usage(String which, String name, Quantity amount) {
    return which + " " + name + " usage per " + type + " is " + amount;
  }
}
