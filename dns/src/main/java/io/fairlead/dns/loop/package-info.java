/// Plugin `loop`: notices when forwarding leads back to this server.
///
/// ```
/// loop [exit]
/// ```
///
/// At the start a question with a random name goes out through the chain. If it comes back in, a
/// `forward` line points here, mostly through `127.0.0.53` or `127.0.0.1` in the node's
/// `/etc/resolv.conf`, and every unknown name would go round until the machine is full. Then
/// forwarding is turned off: names of the cluster are still answered, others fail with the reason,
/// and `ready` says so. With `exit` the process ends instead, as CoreDNS does.
@NullMarked
package io.fairlead.dns.loop;

import org.jspecify.annotations.NullMarked;
