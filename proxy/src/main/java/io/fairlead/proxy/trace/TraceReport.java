package io.fairlead.proxy.trace;

import io.fairlead.api.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What became of a traced connection.
///
/// @param code the fault, empty when the connection was answered
/// @param values what the sentence of the code is made of
/// @param endpoint where it went, `10.244.1.7:9376`; null when that is not known
/// @param decisive the number of the hop that ended it, from 1; 0 when none did
/// @param others where else it could have gone, with the shares
public record TraceReport(
    Result result,
    String code,
    Map<String, String> values,
    @Nullable EndpointShare endpoint,
    int decisive,
    List<TraceHop> hops,
    List<EndpointShare> others) {

  /// The ways to end.
  public enum Result {
    REACHED,
    REFUSED,
    DROPPED,
    LOST,
    NO_ANSWER,
    WOULD_REACH;

    /// As documents write it: `noAnswer`.
    public String word() {
      return switch (this) {
        case NO_ANSWER -> "noAnswer";
        case WOULD_REACH -> "wouldReach";
        default -> name().toLowerCase(Locale.ROOT);
      };
    }
  }

  /// An endpoint and with which probability a connection goes there.
  ///
  /// @param share negative when it is not known
  public record EndpointShare(String address, int port, double share) {
    ObjectNode document() {
      ObjectNode endpoint = Json.object().put("address", address).put("port", port);
      if (share < 0) {
        return endpoint.putNull("share");
      }
      return endpoint.put("share", share);
    }
  }

  public TraceReport {
    values = Map.copyOf(values);
    hops = List.copyOf(hops);
    others = List.copyOf(others);
  }

  /// Adds hops to a document.
  ///
  /// @param node the node of all of them
  public static void writeHops(List<TraceHop> hops, ObjectNode document, String node) {
    ArrayNode list = document.putArray("hops");
    for (int i = 0; i < hops.size(); i++) {
      list.add(hops.get(i).document(i + 1, node));
    }
  }

  /// Adds itself to a document.
  ///
  /// @param node the node of all hops
  public void writeTo(ObjectNode document, String node) {
    document.put("result", result.word());
    if (code.isEmpty()) {
      document.putNull("code");
    } else {
      document.put("code", code);
    }
    ObjectNode named = document.putObject("values");
    values.forEach(named::put);
    if (endpoint == null) {
      document.putNull("endpoint");
    } else {
      document.set("endpoint", endpoint.document());
    }
    document.put("decisiveHop", decisive);
    writeHops(hops, document, node);
    ArrayNode rest = document.putArray("others");
    others.forEach(other -> rest.add(other.document()));
  }
}
