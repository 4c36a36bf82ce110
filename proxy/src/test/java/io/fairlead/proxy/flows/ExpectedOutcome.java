package io.fairlead.proxy.flows;

import java.util.Set;

/// What must become of a connection.
public sealed interface ExpectedOutcome {

  /// It reaches one of these endpoints, and over many tries each of them.
  ///
  /// @param endpoints names such as `L1`
  /// @param masqueraded whether the endpoint sees an address of the node instead of the client's
  /// @param sticky a client always gets the same one
  /// @param targetPort the port it reaches
  record Reaches(Set<String> endpoints, boolean masqueraded, boolean sticky, int targetPort)
      implements ExpectedOutcome {
    Reaches alwaysTheSame() {
      return new Reaches(endpoints, masqueraded, true, targetPort);
    }

    Reaches at(int port) {
      return new Reaches(endpoints, masqueraded, sticky, port);
    }
  }

  /// Refused at once.
  record Rejected() implements ExpectedOutcome {}

  /// Never answered.
  record Dropped() implements ExpectedOutcome {}

  /// The proxy does nothing: the packet goes where routing sends it, and no server answers there.
  record NotHandled() implements ExpectedOutcome {}
}
