package io.fairlead.app.command.explain;

import io.fairlead.client.ObjectKey;
import java.util.Map;
import java.util.Optional;

/// What a question is about.
///
/// @param key without a namespace for a node
public record ExplainTarget(Kind kind, ObjectKey key) {
  /// The kinds that can be explained.
  public enum Kind {
    SERVICE,
    POD,
    NODE,
    POLICY
  }

  private static final Map<String, Kind> KINDS =
      Map.ofEntries(
          Map.entry("svc", Kind.SERVICE),
          Map.entry("service", Kind.SERVICE),
          Map.entry("services", Kind.SERVICE),
          Map.entry("po", Kind.POD),
          Map.entry("pod", Kind.POD),
          Map.entry("pods", Kind.POD),
          Map.entry("no", Kind.NODE),
          Map.entry("node", Kind.NODE),
          Map.entry("nodes", Kind.NODE),
          Map.entry("netpol", Kind.POLICY),
          Map.entry("networkpolicy", Kind.POLICY),
          Map.entry("networkpolicies", Kind.POLICY));

  /// `svc/NAME`, `pod/NAME`, `node/NAME`, `netpol/NAME`, `NAME`, `NAME.NAMESPACE`,
  /// `NAME.NAMESPACE.svc…`; empty when it is of another kind or has no name.
  public static Optional<ExplainTarget> parse(String text, String namespace) {
    int slash = text.indexOf('/');
    Kind kind = slash < 0 ? Kind.SERVICE : KINDS.get(text.substring(0, slash));
    String name = text.substring(slash + 1);
    if (kind == null || name.isEmpty() || (slash < 0 && isKind(name))) {
      return Optional.empty();
    }
    if (kind == Kind.NODE) {
      return Optional.of(new ExplainTarget(kind, new ObjectKey("", name)));
    }
    // Names of Services have no dots; those of pods may.
    String[] parts = name.split("\\.", 3);
    boolean qualified =
        kind == Kind.SERVICE
            && parts.length > 1
            && (parts.length == 2 || parts[2].startsWith("svc"));
    return Optional.of(
        new ExplainTarget(
            kind, qualified ? new ObjectKey(parts[1], parts[0]) : new ObjectKey(namespace, name)));
  }

  /// Whether it is only a kind: `explain service` is a question to kubectl.
  static boolean isKind(String text) {
    return KINDS.containsKey(text.endsWith("/") ? text.substring(0, text.length() - 1) : text)
        || text.equals("endpoints")
        || text.equals("endpointslice")
        || text.equals("deployment");
  }
}
