/// The `kubernetes` plugin: names of Services, endpoints and pods, and their addresses back to
/// names (the schema of Kubernetes DNS, version 1.1.0).
///
/// ```
/// kubernetes [ZONES...] {
///     kubeconfig FILE [CONTEXT]      endpoint URL           tls CERT KEY CA
///     namespaces NAME...             namespace_labels EXPR  labels EXPR
///     pods disabled|insecure|verified                       endpoint_pod_names
///     ttl SECONDS                    noendpoints            ignore empty_service
///     zonal                          fallthrough [ZONES...]
///     snapshot FILE                  max_staleness DURATION
/// }
/// ```
///
/// `snapshot` keeps what is known in a file, for a start without the API server. `max_staleness` is
/// how long that server may be away before `ready` says 503; answers go on.
@NullMarked
package io.fairlead.dns.kubernetes;

import org.jspecify.annotations.NullMarked;
