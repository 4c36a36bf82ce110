package io.fairlead.server.pki;

import java.util.List;

/// Whom a certificate is about.
///
/// @param commonName the user, for clients
/// @param organizations the groups, for clients
/// @param alternativeNames the DNS names and addresses, for servers
record CertificateSubject(
    String commonName,
    List<String> organizations,
    List<String> alternativeNames,
    boolean isServer) {
  CertificateSubject {
    organizations = List.copyOf(organizations);
    alternativeNames = List.copyOf(alternativeNames);
  }

  static CertificateSubject client(String user, List<String> groups) {
    return new CertificateSubject(user, groups, List.of(), false);
  }

  static CertificateSubject server(String name, List<String> alternativeNames) {
    return new CertificateSubject(name, List.of(), alternativeNames, true);
  }
}
