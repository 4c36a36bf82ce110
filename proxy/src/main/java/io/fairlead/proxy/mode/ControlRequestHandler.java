package io.fairlead.proxy.mode;

import io.fairlead.api.json.Json;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.nodeapi.NodeApi;
import io.fairlead.proxy.nodeapi.NodeApiRequest;
import io.fairlead.proxy.nodeapi.NodePodDirectory;
import io.fairlead.proxy.runtime.Proxy;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Answers requests to a running proxy: `{"mode": "nftables"}` changes the mode; without a mode the
/// answer only names the present one. `{"path": "about"}` asks the [node API][NodeApi].
public final class ControlRequestHandler {
  private final Proxy proxy;
  private final ModeChange change;
  private final NodeApi nodeApi;
  private final Supplier<NodePodDirectory> pods;

  /// @param pods the pods of this node, as far as this process knows them
  public ControlRequestHandler(
      Proxy proxy, ModeChange change, NodeApi nodeApi, Supplier<NodePodDirectory> pods) {
    this.proxy = proxy;
    this.change = change;
    this.nodeApi = nodeApi;
    this.pods = pods;
  }

  /// Whether a request may take long and changes nothing, so that others need not wait for it.
  public static boolean isQuestion(ObjectNode request) {
    return request.has("path");
  }

  /// Answers a question to the node API with `{"code", "body"}`.
  private ObjectNode ask(ObjectNode request) {
    try {
      NodeApi.Answer answer = nodeApi.answer(NodeApiRequest.of(request, "root", pods.get()));
      ObjectNode message = Json.object().put("code", answer.code());
      message.set("body", answer.body());
      return message;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Json.object().put("code", 503);
    }
  }

  /// Answers a request. An answer with `error` says why not.
  public ObjectNode answer(ObjectNode request) {
    if (isQuestion(request)) {
      return ask(request);
    }
    String to = Json.textOr(request, "", "mode");
    try {
      ModeChange.Result result =
          change.change(proxy, to.isEmpty() ? proxy.mode() : ProxyMode.of(to));
      ObjectNode answer = Json.object();
      answer.put("was", result.was().toString());
      answer.put("mode", result.now().toString());
      answer.put("summary", proxy.summary());
      answer.put("carried", result.carried());
      answer.put("ending", result.ending());
      result.left().forEach(answer.putArray("left")::add);
      return answer;
    } catch (DataPlaneException e) {
      return Json.object()
          .put("error", String.valueOf(e.getMessage()))
          .put("mode", proxy.mode().toString());
    }
  }
}
