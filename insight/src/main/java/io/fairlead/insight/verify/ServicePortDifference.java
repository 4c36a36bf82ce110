package io.fairlead.insight.verify;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// A service port whose rules in the kernel are not those it should have.
///
/// @param missing what should be there and is not, as the mode's listing shows it
/// @param extra what is there and should not be
public record ServicePortDifference(
    String namespace,
    String service,
    String port,
    String family,
    List<String> missing,
    List<String> extra) {
  public ServicePortDifference {
    missing = List.copyOf(missing);
    extra = List.copyOf(extra);
  }

  static ServicePortDifference of(JsonNode difference) {
    return new ServicePortDifference(
        Json.textOr(difference, "", "namespace"),
        Json.textOr(difference, "", "service"),
        Json.textOr(difference, "", "port"),
        Json.textOr(difference, "", "family"),
        texts(difference.path("missing")),
        texts(difference.path("extra")));
  }

  private static List<String> texts(JsonNode list) {
    List<String> all = new ArrayList<>();
    list.forEach(each -> all.add(each.asString("")));
    return all;
  }

  /// `default/hostnames:http`.
  public String name() {
    return namespace + "/" + service + (port.isEmpty() ? "" : ":" + port);
  }
}
