package io.fairlead.proxy.control;

import io.fairlead.api.json.Json;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.runtime.Proxy;
import tools.jackson.databind.node.ObjectNode;

/// What a running proxy can be told: `{"mode": "nftables"}`; without a mode it only says its own.
public final class Orders {
  private final Proxy proxy;
  private final ModeChange change;

  public Orders(Proxy proxy, ModeChange change) {
    this.proxy = proxy;
    this.change = change;
  }

  /// Does it. An answer with `error` says why not.
  public ObjectNode answer(ObjectNode order) {
    String to = Json.textOr(order, "", "mode");
    try {
      ModeChange.Result result = change.change(proxy, to.isEmpty() ? proxy.mode() : to);
      ObjectNode answer = Json.object();
      answer.put("was", result.was());
      answer.put("mode", result.now());
      answer.put("summary", proxy.summary());
      answer.put("carried", result.carried());
      answer.put("ending", result.ending());
      result.left().forEach(answer.putArray("left")::add);
      return answer;
    } catch (DataPlaneException e) {
      return Json.object().put("error", String.valueOf(e.getMessage())).put("mode", proxy.mode());
    }
  }
}
