/// The Corefile: how a server and its plugins are configured, read from text into directives.
///
/// The language is the one CoreDNS uses, so that a cluster's ConfigMap works unchanged: server
/// blocks with keys such as `.:53`, plugin lines, nested option blocks, snippets, imports and
/// values from the environment. Nothing here knows what a plugin's words mean.
@NullMarked
package io.fairlead.dns.corefile;

import org.jspecify.annotations.NullMarked;
