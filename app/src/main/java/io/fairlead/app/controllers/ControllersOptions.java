package io.fairlead.app.controllers;

import io.fairlead.client.Connection;
import io.fairlead.controller.Controllers;
import java.nio.file.Path;
import java.util.Optional;

/// What `fairlead controllers` runs, and where.
///
/// @param connection the API it works on
/// @param controllers which controllers, and how
/// @param door the port it tells about itself on
public record ControllersOptions(
    Connection connection, Controllers.Options controllers, Door door) {
  /// A TLS port.
  ///
  /// @param port 0 takes a free one
  /// @param certificate what it shows; empty for one made at the start, that nobody trusts
  /// @param key of the certificate
  /// @param clientAuthority the CA whose client certificates are believed; empty for the one the
  ///   API server publishes, if it does
  public record Door(
      String address,
      int port,
      Optional<Path> certificate,
      Optional<Path> key,
      Optional<Path> clientAuthority) {}
}
