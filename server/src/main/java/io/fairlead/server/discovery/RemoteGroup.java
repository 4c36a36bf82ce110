package io.fairlead.server.discovery;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// A group that other servers serve, as the documents of this one list it.
///
/// @param versions by preference
public record RemoteGroup(String name, List<Version> versions) {
  /// @param entry its part of an aggregated document
  public record Version(String version, ObjectNode entry) {}

  public RemoteGroup {
    versions = List.copyOf(versions);
  }
}
