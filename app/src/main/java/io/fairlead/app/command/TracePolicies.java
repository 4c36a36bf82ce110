package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.insight.simulate.PolicyModel;
import io.fairlead.policy.core.ConnectionExplanation;
import io.fairlead.policy.core.IpProtocol;
import io.fairlead.policy.core.Oracle;
import io.fairlead.policy.runtime.DropReason;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What NetworkPolicies say about a connection that was traced: one line for each end that a policy
/// isolates, with the rule that lets it pass or the policies that do not.
record TracePolicies(Client client, TraceSource from, TraceTarget to) {

  /// Adds the lines to a document; nothing when no policy isolates an end, or the user may not read
  /// policies.
  void addTo(ObjectNode document) {
    if (!(document.path("hops") instanceof ArrayNode hops)) {
      return;
    }
    try {
      if (anyPolicy()) {
        explanation(document).ifPresent(found -> add(hops, found));
      }
    } catch (ApiException | ConnectionException _) {
      // Not for this user to see: the trace says what it knows.
    }
  }

  /// Most clusters have none, and then nothing more is read.
  private boolean anyPolicy() {
    return !client.list(PolicyModel.POLICIES, "", ListOptions.ALL.limited(1)).items().isEmpty();
  }

  /// A connection, and what the policies say of it.
  private record Judged(PolicyModel model, Oracle oracle, ConnectionExplanation explanation) {}

  private Optional<Judged> explanation(ObjectNode document) {
    IpAddress source = IpAddress.parseOrNull(from.address());
    String endpoint = Json.textOr(document, "", "endpoint", "address");
    boolean known = !endpoint.isEmpty();
    // A Service's address is no pod's: policies see the endpoint.
    if (source == null || (!known && to.service() != null)) {
      return Optional.empty();
    }
    IpAddress destination = IpAddress.parseOrNull(known ? endpoint : to.address());
    if (destination == null || destination.family() != source.family()) {
      return Optional.empty();
    }
    int port = known ? document.path("endpoint").path("port").asInt(0) : to.port();
    PolicyModel model = PolicyModel.read(client);
    Oracle oracle = model.oracle(source, destination);
    int protocol = IpProtocol.valueOf(to.protocol()).number();
    return Optional.of(
        new Judged(model, oracle, oracle.explain(source, destination, protocol, port)));
  }

  private static void add(ArrayNode hops, Judged judged) {
    for (ConnectionExplanation.End end : judged.explanation().ends()) {
      if (!end.isIsolated()) {
        continue;
      }
      String node =
          end.pod().flatMap(pod -> judged.model().pod(pod.key())).map(pod -> pod.node()).orElse("");
      hops.addObject()
          .put("n", hops.size())
          .put("node", node)
          .put("place", "policy")
          .put("source", "model")
          .put("via", "model")
          .put("text", "policy " + end.direction() + ": " + said(judged, end));
    }
  }

  private static String said(Judged judged, ConnectionExplanation.End end) {
    if (end.allows()) {
      return "allowed by "
          + end.allowedBy().stream().map(Object::toString).collect(Collectors.joining(", "));
    }
    return judged
        .explanation()
        .denying()
        .filter(end::equals)
        .flatMap(_ -> DropReason.of(judged.oracle(), judged.explanation()))
        .map(reason -> reason.code() + " " + reason.text())
        .orElseGet(
            () ->
                "denied too, isolated by "
                    + end.isolatedBy().stream()
                        .map(ObjectKey::toString)
                        .collect(Collectors.joining(", ")));
  }
}
