package io.fairlead.app.controllers;

import io.fairlead.client.ClientConfig;
import io.fairlead.controller.Controllers;
import java.nio.file.Path;
import java.util.Optional;

/// What `fairlead controllers` runs, and where.
///
/// @param connection the API it works on
/// @param controllers which controllers, and how
/// @param ownAccounts whether each controller writes in the name of a service account
/// @param serving where it serves its health and metrics
public record ControllersOptions(
    ClientConfig connection,
    Controllers.Options controllers,
    boolean ownAccounts,
    SecureServing serving) {
  /// A TLS port.
  ///
  /// @param port 0 takes a free one
  /// @param certificate what it shows; empty for one made at the start, which no client trusts
  /// @param key of the certificate
  /// @param clientAuthority the CA whose client certificates are accepted; empty for the one the
  ///   API server publishes, if it does
  public record SecureServing(
      String address,
      int port,
      Optional<Path> certificate,
      Optional<Path> key,
      Optional<Path> clientAuthority) {}
}
