package io.fairlead.policy.runtime;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Writes the condition `fairlead.dev/PolicyEnforced` of the Node: on change and every five
/// minutes.
final class NodeConditionWriter implements AutoCloseable {
  static final String KIND = "policy-condition";
  static final String TYPE = "fairlead.dev/PolicyEnforced";

  private static final Logger log = LoggerFactory.getLogger(NodeConditionWriter.class);
  private static final Duration LOOK = Duration.ofSeconds(5);
  private static final Duration RENEW = Duration.ofMinutes(5);

  static final String NOT_SYNCED = "NotSynced";

  /// @param reason one word: `InForce`, `NotSynced`, `NoTable`, `BridgeBypasses`,
  ///   `ProxyHidesSource`
  record Condition(boolean enforced, String reason, String message) {}

  private final Client client;
  private final String node;
  private final InstantSource clock;
  private final Supplier<Condition> conditions;
  private final Consumer<String> unavailable;
  private final SupervisedLoop loop;
  // Owned by the loop.
  private Condition last = new Condition(false, "", "");
  private java.time.Instant changed = java.time.Instant.EPOCH;
  private java.time.Instant written = java.time.Instant.EPOCH;

  /// @param unavailable is told why policies are not in force, when that begins or its reason
  ///   changes
  NodeConditionWriter(
      Client client,
      String node,
      InstantSource clock,
      Supplier<Condition> conditions,
      Consumer<String> unavailable) {
    this.unavailable = unavailable;
    this.client = client;
    this.node = node;
    this.clock = clock;
    this.conditions = conditions;
    this.loop = SupervisedLoop.of(KIND).every(LOOK).build(this::step);
  }

  void start() {
    loop.start();
  }

  void wake() {
    loop.wake();
  }

  private void step() {
    Condition now = conditions.get();
    java.time.Instant time = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    if (now.equals(last) && time.isBefore(written.plus(RENEW))) {
      return;
    }
    if (now.enforced() != last.enforced() || last.reason().isEmpty()) {
      changed = time;
    }
    ObjectNode patch = Json.object();
    patch
        .putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", TYPE)
        .put("status", now.enforced() ? "True" : "False")
        .put("reason", now.reason())
        .put("message", isFault(now) ? "FL169 " + now.message() : now.message())
        .put("lastHeartbeatTime", time.toString())
        .put("lastTransitionTime", changed.toString());
    try {
      client.patch(
          ResourceType.NODES, new ObjectKey("", node), "status", PatchType.STRATEGIC, patch);
      if (isFault(now) && !now.equals(last)) {
        unavailable.accept(now.message());
      }
      last = now;
      written = time;
    } catch (ApiException | ConnectionException e) {
      log.atDebug().addKeyValue("why", e.getMessage()).log("condition not written");
    }
  }

  /// Not merely at the beginning.
  private static boolean isFault(Condition condition) {
    return !condition.enforced() && !condition.reason().equals(NOT_SYNCED);
  }

  @Override
  public void close() {
    loop.close();
  }
}
