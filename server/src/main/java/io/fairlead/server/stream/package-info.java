/// What leads through this server to nodes and pods: logs, exec, attach, port-forward, proxies.
/// Requests are passed on to the node's own server, or to the pod, and connections are joined.
@NullMarked
package io.fairlead.server.stream;

import org.jspecify.annotations.NullMarked;
