package io.fairlead.server.resources.kind;

import io.fairlead.server.resource.Subresource;
import java.util.List;

/// A subresource that leads to a node: listed here, served by the streams.
///
/// @param kind the kind of its options, or of the object where there are none
public record ConnectSubresource(String name, String kind, List<String> verbs)
    implements Subresource.Connect {
  private static final List<String> STREAM = List.of("create", "get");
  private static final List<String> PROXY = List.of("create", "delete", "get", "patch", "update");

  /// Opened with GET or POST: exec, attach, port-forward.
  public static ConnectSubresource stream(String name, String kind) {
    return new ConnectSubresource(name, kind, STREAM);
  }

  /// Passes any request on.
  public static ConnectSubresource proxy(String kind) {
    return new ConnectSubresource("proxy", kind, PROXY);
  }

  @Override
  public String group() {
    return "";
  }

  @Override
  public String version() {
    return "v1";
  }

  @Override
  public String schemaName() {
    return ResourceDescriptorBuilder.schemaName("", "v1", kind);
  }
}
