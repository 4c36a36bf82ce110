package io.fairlead.server.stream;

import java.net.InetAddress;

/// Where a node's own server is, and how it is known.
///
/// @param host as the Node names it
/// @param address what the host was resolved to: the one to connect to
/// @param fingerprint of its certificate, SHA-256 in hexadecimal; empty to have a CA vouch for it
record NodeServerEndpoint(
    String node, String host, InetAddress address, int port, String fingerprint) {
  /// The port that a kubelet listens on unless told otherwise.
  static final int USUAL_PORT = 10250;
}
