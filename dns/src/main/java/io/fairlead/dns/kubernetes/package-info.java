/// The `kubernetes` plugin: names of Services, endpoints and pods, and their addresses back to
/// names (the schema of Kubernetes DNS, version 1.1.0).
@NullMarked
package io.fairlead.dns.kubernetes;

import org.jspecify.annotations.NullMarked;
