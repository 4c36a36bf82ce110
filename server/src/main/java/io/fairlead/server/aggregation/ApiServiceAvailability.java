package io.fairlead.server.aggregation;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.discovery.RemoteGroup;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resources.admission.ApiServiceResource;
import io.fairlead.server.rest.InternalWriter;
import io.fairlead.server.stream.AggregatedApiProxy.Answer;
import java.io.IOException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Finds out whether the servers behind APIServices can be reached, says so in their condition
/// `Available`, and learns from them what they serve, for discovery.
///
/// One loop calls [#round]. An unavailable server is asked in each round, an available one now and
/// then. Without aggregated APIs a round does nothing.
public final class ApiServiceAvailability {
  private static final int MILLIS = 5_000;
  private static final int MOST_BYTES = 1 << 20;

  /// In how many rounds an available server is asked once.
  private static final int SELDOM = 15;

  private final AggregatedApis apis;
  private final ClusterReader reader;
  private final InternalWriter writer;
  private final Resource resource;
  private final InstantSource clock;
  // What each server said last, by the name of its APIService. Owned by the loop.
  private final Map<String, ObjectNode> versions = new HashMap<>();
  private int rounds;
  private volatile List<RemoteGroup> groups = List.of();

  public ApiServiceAvailability(
      AggregatedApis apis,
      ClusterReader reader,
      InternalWriter writer,
      Resource resource,
      InstantSource clock) {
    this.apis = apis;
    this.reader = reader;
    this.writer = writer;
    this.resource = resource;
    this.clock = clock;
  }

  private record Verdict(boolean available, String reason, String message) {}

  /// The groups that other servers serve, for discovery.
  public List<RemoteGroup> groups() {
    return groups;
  }

  /// Asks those whose turn it is.
  public void round() {
    List<RemoteApiService> all = apis.all();
    if (all.isEmpty() && versions.isEmpty()) {
      return;
    }
    boolean everyone = rounds % SELDOM == 0;
    rounds++;
    for (RemoteApiService service : all) {
      if (everyone || !service.available() || !versions.containsKey(service.name())) {
        Verdict verdict = ask(service);
        report(service, verdict);
      }
    }
    versions.keySet().removeIf(name -> all.stream().noneMatch(each -> each.name().equals(name)));
    List<RemoteGroup> now = grouped(all);
    if (!now.equals(groups)) {
      groups = now;
    }
  }

  private Verdict ask(RemoteApiService service) {
    String named = "service/" + service.place().service();
    String place = named + " in \"" + service.place().namespace() + "\"";
    ObjectNode found =
        reader.get("", "services", service.place().namespace(), service.place().service());
    if (found == null) {
      return new Verdict(false, "ServiceNotFound", place + " is not present");
    }
    try {
      Answer answer = apis.proxy().get(service.place(), service.path(), MILLIS, MOST_BYTES);
      if (answer.code() != 200) {
        return failed("bad status from " + url(service) + ": " + answer.code());
      }
      JsonNode list = Json.parse(answer.body());
      versions.put(service.name(), RemoteDiscovery.version(service.version(), list));
      return new Verdict(true, "Passed", "all checks passed");
    } catch (ApiException e) {
      return new Verdict(false, "MissingEndpoints", e.status().message());
    } catch (IOException | JacksonException e) {
      return failed("failing or missing response from " + url(service) + ": " + e.getMessage());
    }
  }

  private static Verdict failed(String why) {
    return new Verdict(false, "FailedDiscoveryCheck", why);
  }

  private static String url(RemoteApiService service) {
    return "https://"
        + service.place().service()
        + "."
        + service.place().namespace()
        + ".svc:"
        + service.place().port()
        + service.path();
  }

  private void report(RemoteApiService service, Verdict verdict) {
    try {
      writer.updateStatus(resource, "", service.name(), object -> reported(object, verdict));
    } catch (ApiException e) {
      if (e.status().code() != 404) {
        throw e;
      }
      // Deleted meanwhile.
    }
  }

  private ObjectNode reported(ObjectNode object, Verdict verdict) {
    String status = verdict.available() ? "True" : "False";
    JsonNode before = ApiServiceResource.available(object);
    String since =
        Json.textOr(before, "", "status").equals(status)
            ? Json.textOr(before, "", "lastTransitionTime")
            : clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    ArrayNode conditions = Json.child(object, "status").putArray("conditions");
    conditions
        .addObject()
        .put("type", "Available")
        .put("status", status)
        .put("lastTransitionTime", since)
        .put("reason", verdict.reason())
        .put("message", verdict.message());
    return object;
  }

  private List<RemoteGroup> grouped(List<RemoteApiService> all) {
    Map<String, List<RemoteApiService>> byGroup = new TreeMap<>();
    for (RemoteApiService each : all) {
      if (versions.containsKey(each.name())) {
        byGroup.computeIfAbsent(each.group(), _ -> new ArrayList<>()).add(each);
      }
    }
    List<RemoteGroup> found = new ArrayList<>();
    byGroup.forEach(
        (group, members) -> {
          List<RemoteGroup.Version> served = new ArrayList<>();
          members.stream()
              .sorted(Comparator.comparingInt(RemoteApiService::versionPriority).reversed())
              .forEach(
                  each ->
                      served.add(
                          new RemoteGroup.Version(
                              each.version(), versions.getOrDefault(each.name(), Json.object()))));
          found.add(new RemoteGroup(group, served));
        });
    return found;
  }
}
