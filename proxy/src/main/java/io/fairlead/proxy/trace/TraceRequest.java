package io.fairlead.proxy.trace;

import io.fairlead.proxy.core.Protocol;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// A connection to send and follow.
///
/// @param namespace the client's network namespace; empty for that of the node
/// @param payload what a datagram carries
/// @param limit how long to wait for an answer
/// @param endpoint only a connection to this endpoint will do: tries are repeated until one goes
///   there
/// @param passive send nothing: follow the first connection that others make to the destination
///   within the limit; of a client in the namespace, where one is named
public record TraceRequest(
    Optional<Path> namespace,
    InetAddress destination,
    int port,
    Protocol protocol,
    String payload,
    Duration limit,
    Optional<InetAddress> endpoint,
    boolean passive) {}
