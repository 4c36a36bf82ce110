package io.fairlead.agent.api;

import javax.net.ssl.SSLContext;

/// How the node's server is to be like.
///
/// @param address to listen on
/// @param port 0 takes a free one
/// @param inside whether to listen in the node's network namespace, if that is not the process's
/// @param tls shows the server's certificate
/// @param fingerprint of that certificate, SHA-256 in hexadecimal: the API server is told it, and
///   believes no other
/// @param access decides who may come in
public record NodeServerOptions(
    String address,
    int port,
    boolean inside,
    SSLContext tls,
    String fingerprint,
    NodeAccess access) {}
