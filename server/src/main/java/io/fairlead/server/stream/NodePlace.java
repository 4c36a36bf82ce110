package io.fairlead.server.stream;

/// Where a node's own server is, and how it is known.
///
/// @param fingerprint of its certificate, SHA-256 in hexadecimal; empty to have a CA vouch for it
record NodePlace(String node, String host, int port, String fingerprint) {}
