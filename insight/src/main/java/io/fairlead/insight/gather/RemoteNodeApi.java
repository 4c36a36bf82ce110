package io.fairlead.insight.gather;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.Seen;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// The node APIs of other machines, by the first way that leads there: our API server, one that
/// only relays, and the pod of a proxy that runs alone.
///
/// @param pods the last way; empty for none
record RemoteNodeApi(Client client, InstantSource clock, Optional<PodNodeApi> pods) {
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  /// The version of the documents of node APIs.
  private static final String DOCUMENTS = "fairlead.dev/v1";

  private static final String PATH = "/fairlead/v1/";
  private static final List<String> WAYS =
      List.of("/fairlead/v1/nodes/%s/", "/api/v1/nodes/%s/proxy" + PATH);

  /// @param question with a path below the version: `about`
  Evidence<ObjectNode> ask(String node, ApiRequest question) {
    try {
      return byAnyWay(node, question);
    } catch (ConnectionException e) {
      return new Unseen<>(new Why.NoAnswer(String.valueOf(e.getMessage())), node);
    }
  }

  private Evidence<ObjectNode> byAnyWay(String node, ApiRequest question) {
    Why why = new Why.NoNodeApi();
    for (String way : WAYS) {
      String begin = way.formatted(ApiRequest.escape(node));
      Evidence<ObjectNode> answer = answer(node, () -> Optional.of(client), begin, question);
      if (!(answer instanceof Unseen<ObjectNode> unseen)) {
        return answer;
      }
      if (!(unseen.why() instanceof Why.NoNodeApi)) {
        why = unseen.why();
      }
      if (why instanceof Why.Forbidden) {
        break;
      }
    }
    if (pods.isPresent()) {
      Evidence<ObjectNode> answer = answer(node, () -> pods.get().of(node), PATH, question);
      boolean reached = !(answer instanceof Unseen<?> last && last.why() instanceof Why.NoNodeApi);
      if (reached) {
        return answer;
      }
    }
    return new Unseen<>(why, node);
  }

  /// Not seen for want of a node API when there is nothing on that way.
  private Evidence<ObjectNode> answer(
      String node, Supplier<Optional<Client>> way, String begin, ApiRequest question) {
    try {
      Optional<ObjectNode> answer =
          way.get()
              .map(one -> one.raw(question.at(begin + question.path())).object())
              // A server that does not know the path may answer with something else.
              .filter(one -> Json.textOr(one, "", "apiVersion").equals(DOCUMENTS));
      return answer.isPresent()
          ? new Seen<>(answer.get(), Source.KERNEL, node, clock.instant())
          : new Unseen<>(new Why.NoNodeApi(), node);
    } catch (ApiException e) {
      int code = e.status().code();
      return new Unseen<>(
          code == UNAUTHORIZED || code == FORBIDDEN
              ? new Why.Forbidden("get", "nodes/insight")
              : ApiErrors.isNotFound(e)
                  ? new Why.NoNodeApi()
                  : new Why.NoAnswer(String.valueOf(e.getMessage())),
          node);
    }
  }
}
