package io.fairlead.proxy.trace;

import io.fairlead.api.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// One step of a packet's way.
///
/// @param place `pod`, `raw`, `nat`, `filter`, `route`, `relay`, `remote` or `other`
/// @param table empty where no table had to do with it
/// @param rule null where no rule decided
/// @param verdict what the rule did: `accept`, `drop`, `jump X`; empty without a rule
/// @param share with which probability a packet goes this way, 0 to 1; negative where nothing is
///   left to chance
/// @param via where it is known from: `netlink`, `nft trace`, `nf log`, `conntrack`, `ipvs`,
///   `socket`, `kernel`, `model`
/// @param millis how long it took; negative where that says nothing
public record TraceHop(
    String place,
    String table,
    String chain,
    @Nullable RuleReference rule,
    String verdict,
    double share,
    String via,
    double millis,
    String text) {

  /// A rule of a chain.
  ///
  /// @param number its position in the chain, from 1
  /// @param of how many rules the chain has
  public record RuleReference(long handle, int number, int of, String text) {}

  static TraceHop of(String place, String via, String text) {
    return new TraceHop(place, "", "", null, "", -1, via, -1, text);
  }

  TraceHop in(String otherTable, String otherChain) {
    return new TraceHop(place, otherTable, otherChain, rule, verdict, share, via, millis, text);
  }

  TraceHop by(RuleReference reference, String decided) {
    return new TraceHop(place, table, chain, reference, decided, share, via, millis, text);
  }

  TraceHop withShare(double part) {
    return new TraceHop(place, table, chain, rule, verdict, part, via, millis, text);
  }

  TraceHop took(double time) {
    return new TraceHop(place, table, chain, rule, verdict, share, via, time, text);
  }

  ObjectNode document(int number, String node) {
    ObjectNode hop = Json.object().put("n", number).put("node", node).put("place", place);
    text(hop, "table", table);
    text(hop, "chain", chain);
    if (rule == null) {
      hop.putNull("rule");
    } else {
      hop.putObject("rule")
          .put("handle", rule.handle())
          .put("number", rule.number())
          .put("of", rule.of())
          .put("text", rule.text());
    }
    text(hop, "verdict", verdict);
    if (share < 0) {
      hop.putNull("share");
    } else {
      hop.put("share", share);
    }
    hop.put("source", via.equals("model") ? "model" : "kernel").put("via", via);
    if (millis < 0) {
      hop.putNull("millis");
    } else {
      hop.put("millis", millis);
    }
    return hop.put("text", text);
  }

  private static void text(ObjectNode hop, String name, String value) {
    if (value.isEmpty()) {
      hop.putNull(name);
    } else {
      hop.put(name, value);
    }
  }
}
