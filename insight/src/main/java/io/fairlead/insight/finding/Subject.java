package io.fairlead.insight.finding;

/// What a finding is about.
///
/// @param namespace empty for what has none
public record Subject(Kind kind, String namespace, String name) {
  /// The sorts of subjects.
  public enum Kind {
    SERVICE("Service"),
    SERVICE_PORT("ServicePort"),
    POD("Pod"),
    NODE("Node"),
    SLICE("EndpointSlice"),
    POLICY("NetworkPolicy"),
    NAME("Name"),
    CLIENT("Client");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /// As documents have it.
    @Override
    public String toString() {
      return text;
    }
  }

  public static Subject service(String namespace, String name) {
    return new Subject(Kind.SERVICE, namespace, name);
  }

  public static Subject pod(String namespace, String name) {
    return new Subject(Kind.POD, namespace, name);
  }

  public static Subject policy(String namespace, String name) {
    return new Subject(Kind.POLICY, namespace, name);
  }

  public static Subject node(String name) {
    return new Subject(Kind.NODE, "", name);
  }
}
