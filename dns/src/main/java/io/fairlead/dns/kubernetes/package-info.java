/// The plugin `kubernetes`: names of Services, endpoints and pods, and their addresses back to
/// names (the schema of Kubernetes DNS, version 1.1.0), with options and an example in README.md;
/// and the plugin `k8s_external`, which serves Services with external addresses under a public
/// zone, with its own in k8s_external.md. `kubernetes.data` follows the API server and compiles
/// records, `kubernetes.answer` copies them into replies.
@NullMarked
package io.fairlead.dns.kubernetes;

import org.jspecify.annotations.NullMarked;
