package io.fairlead.server.pki;

import java.util.List;

/// Whom a certificate is about.
///
/// @param commonName the user, for clients
/// @param organizations the groups, for clients
/// @param alternativeNames the DNS names and addresses, for servers
record Subject(
    String commonName,
    List<String> organizations,
    List<String> alternativeNames,
    boolean isServer) {
  Subject {
    organizations = List.copyOf(organizations);
    alternativeNames = List.copyOf(alternativeNames);
  }

  static Subject client(String user, List<String> groups) {
    return new Subject(user, groups, List.of(), false);
  }

  static Subject server(String name, List<String> alternativeNames) {
    return new Subject(name, List.of(), alternativeNames, true);
  }
}
