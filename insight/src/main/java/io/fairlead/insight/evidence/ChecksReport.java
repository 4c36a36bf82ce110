package io.fairlead.insight.evidence;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// What a node's kernel is set to: the document `NodeChecks` of the node API.
///
/// @param sysctls by name
/// @param conntrackCount entries now; negative when unknown
/// @param conntrackMax how many there may be; negative when unknown
/// @param conntrackDropped packets dropped for want of an entry since the reading before
/// @param bothVariants rules of Kubernetes are in both variants of iptables
/// @param dropping base chains for what is forwarded that drop what they do not accept, and accept
///   no range of pods
/// @param leftovers tables of ended traces
public record ChecksReport(
    Map<String, String> sysctls,
    long conntrackCount,
    long conntrackMax,
    long conntrackDropped,
    boolean bothVariants,
    List<DroppingChain> dropping,
    List<String> leftovers) {

  /// A base chain of a packet filter.
  ///
  /// @param family of the table: `inet`, `ip`, `ip6`
  public record DroppingChain(String family, String table, String chain) {
    /// Whether packets of that family pass it.
    public boolean concerns(boolean six) {
      return family.equals("inet") || family.equals(six ? "ip6" : "ip");
    }
  }

  public ChecksReport {
    sysctls = Map.copyOf(sysctls);
    dropping = List.copyOf(dropping);
    leftovers = List.copyOf(leftovers);
  }

  public static ChecksReport of(JsonNode document) {
    Map<String, String> sysctls = new TreeMap<>();
    document
        .path("sysctls")
        .properties()
        .forEach(one -> sysctls.put(one.getKey(), one.getValue().asString("")));
    List<DroppingChain> dropping = new ArrayList<>();
    for (JsonNode chain : document.path("forwardPolicies")) {
      if (Json.textOr(chain, "", "policy").equals("drop")
          && !chain.path("acceptsPods").asBoolean(false)) {
        dropping.add(
            new DroppingChain(
                Json.textOr(chain, "inet", "family"),
                Json.textOr(chain, "", "table"),
                Json.textOr(chain, "", "chain")));
      }
    }
    List<String> leftovers = new ArrayList<>();
    document.path("leftoverTables").forEach(each -> leftovers.add(each.asString("")));
    JsonNode conntrack = document.path("conntrack");
    return new ChecksReport(
        sysctls,
        conntrack.path("count").asLong(-1),
        conntrack.path("max").asLong(-1),
        conntrack.path("dropped").asLong(0),
        document.path("iptables").path("nftVariantHoldsServices").asBoolean(false)
            && document.path("iptables").path("legacyTables").asBoolean(false),
        dropping,
        leftovers);
  }
}
