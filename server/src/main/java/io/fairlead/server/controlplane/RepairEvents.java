package io.fairlead.server.controlplane;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.rest.InternalWriter;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Reports as Events what a repair found. The same is reported once per object, not in every round.
public final class RepairEvents {
  private static final Logger log = LoggerFactory.getLogger(RepairEvents.class);
  private static final String COMPONENT = "ipallocator-repair-controller";
  private static final int REMEMBERED = 10_000;

  private final InternalWriter writer;
  private final @Nullable Resource resource;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Set<String> told = new HashSet<>();

  /// @param resource events; null where the server does not serve them, and nothing is reported
  ///   then
  public RepairEvents(
      InternalWriter writer,
      @Nullable Resource resource,
      InstantSource clock,
      RandomGenerator random) {
    this.writer = writer;
    this.resource = resource;
    this.clock = clock;
    this.random = random;
  }

  void about(ObjectNode object, String reason, String message) {
    Resource events = resource;
    String uid = Json.textOr(object, "", "metadata", "uid");
    if (told.size() >= REMEMBERED) {
      told.clear();
    }
    if (events == null || !told.add(uid + reason + message)) {
      return;
    }
    String namespace = Json.textOr(object, "default", "metadata", "namespace");
    ObjectNode event = event(object, namespace, reason, message);
    try {
      boolean unused = writer.createIfMissing(events, namespace, event);
    } catch (ApiException e) {
      // A namespace on its way out takes no more events; what was repaired is repaired.
      log.atInfo().addKeyValue("reason", reason).setCause(e).log("an event could not be written");
    }
  }

  private ObjectNode event(ObjectNode object, String namespace, String reason, String message) {
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    String name = Json.textOr(object, "", "metadata", "name");
    ObjectNode event = Json.object().put("kind", "Event").put("apiVersion", "v1");
    event
        .putObject("metadata")
        .put("name", name + "." + Long.toHexString(random.nextLong()))
        .put("namespace", namespace);
    ObjectNode about = event.putObject("involvedObject");
    about.put("kind", Json.textOr(object, "", "kind"));
    about.put("apiVersion", Json.textOr(object, "", "apiVersion"));
    about.put("namespace", Json.textOr(object, "", "metadata", "namespace")).put("name", name);
    about.put("uid", Json.textOr(object, "", "metadata", "uid"));
    about.put("resourceVersion", Json.textOr(object, "", "metadata", "resourceVersion"));
    event.put("reason", reason).put("message", message).put("type", "Warning").put("count", 1);
    event.put("firstTimestamp", now).put("lastTimestamp", now);
    event.putObject("source").put("component", COMPONENT);
    event.put("reportingComponent", COMPONENT).put("reportingInstance", "");
    return event;
  }
}
