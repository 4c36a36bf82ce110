package io.fairlead.server.flowcontrol;

import io.fairlead.api.json.Json;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;

/// How many requests of one level are served at once and how the others wait: a
/// PriorityLevelConfiguration, read once.
///
/// @param exempt nothing of it ever waits
/// @param shares its part of what the server does at once
/// @param lendablePercent how much of that others may use while it does not
/// @param borrowingPercent how much more than that it may use of others; empty for as much as there
///   is
/// @param queuing how requests wait; empty when they are refused instead
record PriorityLevelSpec(
    String name,
    String uid,
    boolean exempt,
    int shares,
    int lendablePercent,
    OptionalInt borrowingPercent,
    Optional<Queuing> queuing) {
  /// @param handSize how many of the queues the requests of one flow may use
  /// @param queueLengthLimit how many requests wait in one queue
  record Queuing(int queues, int handSize, int queueLengthLimit) {}

  static PriorityLevelSpec of(JsonNode object) {
    JsonNode spec = object.path("spec");
    boolean exempt = spec.path("type").asString("").equals("Exempt");
    JsonNode part = spec.path(exempt ? "exempt" : "limited");
    JsonNode borrowing = part.path("borrowingLimitPercent");
    JsonNode queuing = part.path("limitResponse").path("queuing");
    return new PriorityLevelSpec(
        Json.textOr(object, "", "metadata", "name"),
        Json.textOr(object, "", "metadata", "uid"),
        exempt,
        part.path("nominalConcurrencyShares").asInt(0),
        part.path("lendablePercent").asInt(0),
        borrowing.isNumber() ? OptionalInt.of(borrowing.asInt(0)) : OptionalInt.empty(),
        queuing.isObject()
            ? Optional.of(
                new Queuing(
                    queuing.path("queues").asInt(1),
                    queuing.path("handSize").asInt(1),
                    queuing.path("queueLengthLimit").asInt(1)))
            : Optional.empty());
  }
}
