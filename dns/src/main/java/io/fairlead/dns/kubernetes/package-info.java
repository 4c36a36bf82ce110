/// The `kubernetes` plugin: names of Services, endpoints and pods, and their addresses back to
/// names (the schema of Kubernetes DNS, version 1.1.0). README.md beside this file has its options
/// and an example.
@NullMarked
package io.fairlead.dns.kubernetes;

import org.jspecify.annotations.NullMarked;
