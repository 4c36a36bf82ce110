package io.fairlead.insight.evidence;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The sockets of a pod that wait for clients: the document `PodListeners` of the node API.
public record ListenersReport(List<Listener> listeners) {
  /// One socket.
  ///
  /// @param protocol `TCP` or `UDP`
  /// @param address what it is bound to; `[::]` for one that takes IPv6 only
  /// @param waiting connections that wait to be accepted
  /// @param backlog how many may wait
  /// @param process its name; empty when it cannot be told
  public record Listener(
      String protocol, String address, int port, int waiting, int backlog, String process) {}

  public ListenersReport {
    listeners = List.copyOf(listeners);
  }

  public static ListenersReport of(JsonNode document) {
    List<Listener> listeners = new ArrayList<>();
    for (JsonNode one : document.path("listeners")) {
      listeners.add(
          new Listener(
              Json.textOr(one, "TCP", "protocol"),
              address(one),
              one.path("port").asInt(0),
              one.path("waiting").asInt(0),
              one.path("backlog").asInt(0),
              Json.textOr(one, "", "process", "name")));
    }
    return new ListenersReport(listeners);
  }

  /// A socket bound to `::` takes both families unless it is told not to: that one is `[::]`.
  private static String address(JsonNode socket) {
    String address = Json.textOr(socket, "", "address");
    return address.equals("::") && socket.path("onlyIpv6").asBoolean(false) ? "[::]" : address;
  }
}
