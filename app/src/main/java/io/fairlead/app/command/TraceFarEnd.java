package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.insight.evidence.ListenersReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What the node of an endpoint says of it, when a trace got no answer or was refused: which
/// sockets wait in the pod. That node may be another one than the client's.
record TraceFarEnd(Client client, NodeInquiry nodes, String namespace) {
  private static final List<String> UNANSWERED = List.of("refused", "noAnswer");
  private static final String TCP = "TCP";

  /// Adds a hop to a document; nothing when the endpoint is no pod that is known, or its node does
  /// not say.
  void addTo(ObjectNode document) {
    String pod = Json.textOr(document, "", "endpoint", "pod");
    String node = Json.textOr(document, "", "endpoint", "node");
    boolean ended = Json.textOr(document, "", "result").isEmpty() || decidedBefore(document);
    if (pod.isEmpty()
        || node.isEmpty()
        || ended
        || !UNANSWERED.contains(Json.textOr(document, "", "result"))
        || !(document.path("hops") instanceof ArrayNode hops)) {
      return;
    }
    int port = document.path("endpoint").path("port").asInt(0);
    listeners(pod, node)
        .ifPresent(
            report ->
                hops.addObject()
                    .put("n", hops.size())
                    .put("node", node)
                    .put("place", "remote")
                    .put("source", "kernel")
                    .put("via", "socket")
                    .put("text", pod + ": " + said(report, port)));
  }

  /// Whether a rule ended the way, so that the pod had nothing to do with it.
  private static boolean decidedBefore(ObjectNode document) {
    int decisive = document.path("decisiveHop").asInt(0);
    return decisive > 0
        && !Json.textOr(document.path("hops").path(decisive - 1), "", "place").equals("remote");
  }

  private Optional<ListenersReport> listeners(String pod, String node) {
    try {
      Optional<String> uid =
          client
              .find(ResourceType.PODS, new ObjectKey(namespace, pod))
              .map(found -> Json.textOr(found, "", "metadata", "uid"));
      return uid.isEmpty()
          ? Optional.empty()
          : Optional.of(ListenersReport.of(nodes.get(node, "listeners", Map.of("pod", uid.get()))));
    } catch (ApiException | ConnectionException | NodeInquiry.NoAnswerException _) {
      // Not for this user to see: the trace says what it knows.
      return Optional.empty();
    }
  }

  private static String said(ListenersReport report, int port) {
    Optional<ListenersReport.Listener> there =
        report.listeners().stream()
            .filter(each -> each.protocol().equals(TCP) && each.port() == port)
            .findFirst();
    if (there.isPresent()) {
      String process = there.get().process();
      return port
          + "/TCP is open on "
          + there.get().address()
          + (process.isEmpty() ? "" : " (process " + process + ")");
    }
    String open =
        report.listeners().stream()
            .map(each -> each.port() + "/" + each.protocol())
            .distinct()
            .collect(Collectors.joining(", "));
    return "nothing listens on " + port + "/TCP; open: " + (open.isEmpty() ? "nothing" : open);
  }
}
