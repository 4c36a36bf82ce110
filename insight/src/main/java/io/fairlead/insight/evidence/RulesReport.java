package io.fairlead.insight.evidence;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// What the kernel of a node has for a Service against what it should have: the document
/// `NodeRules` of the node API.
///
/// @param mode how the node carries traffic
/// @param drifts what other programs changed lately and the proxy repaired, the newest first
public record RulesReport(String mode, List<FamilyAudit> audits, List<Drift> drifts) {
  /// A change of another program.
  ///
  /// @param process its name; empty when it is not known
  public record Drift(String at, String process) {}

  /// Without a record of what others did.
  public RulesReport(String mode, List<FamilyAudit> audits) {
    this(mode, audits, List.of());
  }

  /// One family.
  ///
  /// @param present whether the mode has written anything there; false where rules cannot be
  ///   compared
  /// @param missing what should be there and is not, as the mode lists it
  /// @param extra what is there and should not be
  public record FamilyAudit(
      String family, boolean present, List<String> missing, List<String> extra) {
    public FamilyAudit {
      missing = List.copyOf(missing);
      extra = List.copyOf(extra);
    }
  }

  public RulesReport {
    audits = List.copyOf(audits);
    drifts = List.copyOf(drifts);
  }

  public static RulesReport of(JsonNode document) {
    List<FamilyAudit> audits = new ArrayList<>();
    for (JsonNode audit : document.path("families")) {
      audits.add(
          new FamilyAudit(
              Json.textOr(audit, "", "family"),
              audit.path("present").asBoolean(false),
              texts(audit.path("missing")),
              texts(audit.path("extra"))));
    }
    List<Drift> drifts = new ArrayList<>();
    for (JsonNode drift : document.path("drift")) {
      drifts.add(new Drift(Json.textOr(drift, "", "at"), Json.textOr(drift, "", "process")));
    }
    return new RulesReport(Json.textOr(document, "", "mode"), audits, drifts);
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(each -> texts.add(each.asString("")));
    return texts;
  }

  /// Whether any family has rules of a proxy.
  public boolean present() {
    return audits.stream().anyMatch(FamilyAudit::present);
  }

  public int missing() {
    return audits.stream().mapToInt(audit -> audit.missing().size()).sum();
  }

  public int extra() {
    return audits.stream().mapToInt(audit -> audit.extra().size()).sum();
  }
}
