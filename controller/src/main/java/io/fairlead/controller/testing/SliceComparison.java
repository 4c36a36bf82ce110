package io.fairlead.controller.testing;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Compares slices with recorded ones.
///
/// The order of slices, endpoints and ports means nothing. Where the original chooses at random
/// which endpoints go into which slice, only their number is compared ([Strictness#SIZES]); where
/// it chooses at random whose hint names another zone, only how many name which.
public final class SliceComparison {
  /// How much must be equal.
  public enum Strictness {
    EXACT,
    SIZES
  }

  private static final Set<String> METADATA =
      Set.of("name", "generateName", "namespace", "labels", "annotations", "ownerReferences");

  private final Placeholders placeholders;
  private final boolean hintsAtRandom;
  private boolean triggerByChance;

  /// @param hintsAtRandom whose hint names another zone is chance
  public SliceComparison(Placeholders placeholders, boolean hintsAtRandom) {
    this.placeholders = placeholders;
    this.hintsAtRandom = hintsAtRandom;
  }

  /// Whether from now on the trigger time does not count: it depends on which changes came
  /// together.
  public void triggerByChance(boolean chance) {
    triggerByChance = chance;
  }

  /// What differs, in words; empty when nothing does. Learns the names that placeholders stand for.
  public List<String> differences(List<ObjectNode> recorded, List<ObjectNode> actual) {
    Strictness strictness =
        recorded.stream().anyMatch(slice -> slice.has("$count"))
            ? Strictness.SIZES
            : Strictness.EXACT;
    List<ObjectNode> left = new ArrayList<>(actual);
    List<String> differences = new ArrayList<>();
    List<ObjectNode> open = new ArrayList<>();
    for (ObjectNode slice : recorded) {
      Optional<String> name = placeholders.name(Json.textOr(slice, "", "metadata", "name"));
      if (name.isEmpty()) {
        open.add(slice);
        continue;
      }
      Optional<ObjectNode> found = take(left, named(name.get()));
      if (found.isEmpty()) {
        differences.add("missing " + name.get() + ": " + shape(slice, strictness));
      } else if (!equal(slice, found.get(), strictness)) {
        differences.add(
            "want "
                + shape(filled(slice), strictness)
                + "\n got "
                + shape(found.get(), strictness));
      }
    }
    for (ObjectNode slice : open) {
      Optional<ObjectNode> found =
          take(
              left,
              candidate ->
                  !placeholders.isBound(Json.textOr(candidate, "", "metadata", "name"))
                      && equal(slice, candidate, strictness));
      if (found.isPresent()) {
        placeholders.bind(
            Json.textOr(slice, "", "metadata", "name"),
            Json.textOr(found.get(), "", "metadata", "name"));
      } else {
        differences.add("missing a new " + shape(filled(slice), strictness));
      }
    }
    left.forEach(slice -> differences.add("unexpected " + shape(slice, strictness)));
    return differences;
  }

  private static java.util.function.Predicate<ObjectNode> named(String name) {
    return slice -> name.equals(Json.text(slice, "metadata", "name"));
  }

  private static Optional<ObjectNode> take(
      List<ObjectNode> from, java.util.function.Predicate<ObjectNode> wanted) {
    Optional<ObjectNode> found = from.stream().filter(wanted).findFirst();
    found.ifPresent(from::remove);
    return found;
  }

  private ObjectNode filled(ObjectNode recorded) {
    String service =
        Json.textOr(recorded, "svc", "metadata", "labels", "kubernetes.io/service-name");
    return (ObjectNode) placeholders.fill(recorded, service);
  }

  private boolean equal(ObjectNode recorded, ObjectNode actual, Strictness strictness) {
    ObjectNode want = shape(filled(recorded), strictness);
    ObjectNode got = shape(actual, strictness);
    if (placeholders.name(Json.textOr(recorded, "", "metadata", "name")).isEmpty()) {
      Json.child(want, "metadata").remove("name");
      Json.child(got, "metadata").remove("name");
    }
    return want.equals(got);
  }

  /// A slice without what does not count, in a fixed order.
  private ObjectNode shape(ObjectNode slice, Strictness strictness) {
    ObjectNode shape = Json.object();
    ObjectNode metadata = shape.putObject("metadata");
    slice
        .path("metadata")
        .properties()
        .forEach(
            member -> {
              boolean said = member.getValue().isString() || !member.getValue().isEmpty();
              if (said && METADATA.contains(member.getKey())) {
                metadata.set(member.getKey(), member.getValue());
              }
            });
    if (triggerByChance) {
      metadata.remove("annotations");
    }
    shape.put("addressType", Json.textOr(slice, "", "addressType"));
    shape.set("ports", sorted(slice.path("ports")));
    JsonNode endpoints = slice.path("endpoints");
    if (hintsAtRandom) {
      endpoints = endpoints.deepCopy();
      shape.set("hints", takeHints(endpoints));
    }
    if (strictness == Strictness.EXACT) {
      shape.set("endpoints", sorted(endpoints));
    } else {
      shape.put("endpoints", slice.path("$count").asInt(slice.path("endpoints").size()));
    }
    return shape;
  }

  /// Takes the hints out of endpoints and returns them as `own zone>zone meant`.
  private static ArrayNode takeHints(JsonNode endpoints) {
    List<String> hints = new ArrayList<>();
    for (JsonNode endpoint : endpoints) {
      for (JsonNode zone : Json.at(endpoint, "hints", "forZones")) {
        hints.add(Json.textOr(endpoint, "", "zone") + ">" + Json.textOr(zone, "", "name"));
      }
      ((ObjectNode) endpoint).remove("hints");
    }
    hints.sort(Comparator.naturalOrder());
    ArrayNode list = Json.array();
    hints.forEach(list::add);
    return list;
  }

  private static ArrayNode sorted(JsonNode list) {
    List<ObjectNode> entries = new ArrayList<>();
    for (JsonNode entry : list) {
      ObjectNode copy = Json.object();
      // A fixed order of members, so that equal entries have equal texts.
      entry.properties().stream()
          .sorted(java.util.Map.Entry.comparingByKey())
          .filter(member -> !member.getKey().equals("conditions") || !member.getValue().isEmpty())
          .forEach(member -> copy.set(member.getKey(), member.getValue()));
      if (copy.has("port") && !copy.has("protocol")) {
        copy.put("protocol", "TCP");
      }
      entries.add(copy);
    }
    entries.sort(
        Comparator.<ObjectNode, String>comparing(e -> e.path("addresses").toString())
            .thenComparing(ObjectNode::toString));
    ArrayNode sorted = Json.array();
    entries.forEach(sorted::add);
    return sorted;
  }
}
