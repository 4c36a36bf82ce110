package io.fairlead.server.rest;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.http.Exchange;
import io.fairlead.server.request.Parameters;
import io.fairlead.server.stream.LogQuery;
import io.fairlead.server.stream.NodeStreams;
import io.fairlead.server.stream.PodStreams;
import java.io.IOException;
import java.io.OutputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `pods/log`: the output of a container, from the agent of the pod's node.
final class PodLogs {
  private static final String DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";

  private final Core core;
  private final NodeStreams nodes;

  PodLogs(Core core, NodeStreams nodes) {
    this.core = core;
    this.nodes = nodes;
  }

  /// Answers, if the pod's node is one of this process.
  ///
  /// @return false when it is not; nothing was answered then
  boolean serve(Call call, ObjectNode pod) throws IOException {
    String node = Json.textOr(pod, "", "spec", "nodeName");
    Optional<PodStreams> streams = nodes.of(node);
    if (streams.isEmpty()) {
      return false;
    }
    LogQuery query = query(call.exchange().query(), pod, call.name());
    Exchange exchange = call.exchange();
    exchange.setStatus(200);
    exchange.setHeader("Content-Type", "text/plain");
    OutputStream out = exchange.output();
    try {
      streams.get().log(call.namespace(), call.name(), query, out);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    // Not on the way of an error, which must still be able to answer.
    out.close();
    return true;
  }

  private LogQuery query(Parameters query, ObjectNode pod, String name) {
    Instant since = null;
    Long seconds = query.number("sinceSeconds");
    String moment = query.text("sinceTime");
    if (seconds != null) {
      since = core.clock().instant().minusSeconds(seconds);
    } else if (!moment.isEmpty()) {
      try {
        since = Instant.parse(moment);
      } catch (DateTimeException e) {
        throw ApiException.badRequest("sinceTime is no time: " + moment);
      }
    }
    return new LogQuery(
        container(query.text("container"), pod, name),
        query.isOn("follow"),
        query.isOn("previous"),
        query.isOn("timestamps"),
        Optional.ofNullable(query.number("tailLines")).map(Math::toIntExact),
        Optional.ofNullable(since),
        Optional.ofNullable(query.number("limitBytes")));
  }

  private static String container(String wanted, ObjectNode pod, String name) {
    List<String> names = new ArrayList<>();
    for (String list : List.of("containers", "initContainers")) {
      for (JsonNode container : Json.at(pod, "spec", list)) {
        names.add(Json.textOr(container, "", "name"));
      }
    }
    if (!wanted.isEmpty()) {
      if (!names.contains(wanted)) {
        throw ApiException.badRequest("container " + wanted + " is not valid for pod " + name);
      }
      return wanted;
    }
    String standard = Json.textOr(pod, "", "metadata", "annotations", DEFAULT_CONTAINER);
    if (names.contains(standard)) {
      return standard;
    }
    if (names.size() != 1) {
      throw ApiException.badRequest(
          "a container name must be specified for pod "
              + name
              + ", choose one of: ["
              + String.join(" ", names)
              + "]");
    }
    return names.getFirst();
  }
}
