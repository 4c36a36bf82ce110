package io.fairlead.app.node;

import io.fairlead.agent.api.NodeInsightHandler;
import io.fairlead.agent.api.NodePodPlaces;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.proxy.mode.ControlSocket;
import io.fairlead.proxy.nodeapi.NodeApi;
import io.fairlead.proxy.nodeapi.NodeApiRequest;
import io.fairlead.proxy.nodeapi.NodePodDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Hands questions to the node on to its proxy: the one of this process, or one that runs alone and
/// is asked at its Unix socket.
public final class NodeInsight implements NodeInsightHandler {
  /// What answers.
  private interface Receiver {
    NodeApi.Answer answer(NodeApiRequest request) throws IOException, InterruptedException;
  }

  private final Receiver receiver;

  private NodeInsight(Receiver receiver) {
    this.receiver = receiver;
  }

  /// The proxy is in this process.
  public static NodeInsight of(NodeApi api) {
    return new NodeInsight(api::answer);
  }

  /// The proxy is another process of this machine, if there is one.
  public static NodeInsight at(Path socket) {
    return new NodeInsight(
        request -> {
          ObjectNode answer = ControlSocket.ask(socket, request.toJson());
          return new NodeApi.Answer(
              answer.path("code").asInt(500),
              answer.path("body") instanceof ObjectNode body ? body : Json.object());
        });
  }

  @Override
  public InsightAnswer answer(InsightRequest request, NodePodPlaces pods)
      throws InterruptedException {
    try {
      NodeApi.Answer answer =
          receiver.answer(
              new NodeApiRequest(
                  request.method(),
                  request.path(),
                  request.query(),
                  request.body(),
                  request.user(),
                  directory(pods)));
      return new InsightAnswer(answer.code(), answer.body());
    } catch (IOException e) {
      Status status =
          Status.of(503, "ServiceUnavailable", "no proxy of this node answers: " + e.getMessage());
      return new InsightAnswer(status.code(), status.toJson());
    }
  }

  /// The pods of an agent.
  public static NodePodDirectory directory(NodePodPlaces pods) {
    return uid -> {
      try {
        NodePodPlaces.PodPlace place = pods.place(uid);
        return Optional.of(
            new NodePodDirectory.NodePod(place.pod(), place.uid(), place.networkNamespace()));
      } catch (ApiException e) {
        return Optional.empty();
      }
    };
  }
}
