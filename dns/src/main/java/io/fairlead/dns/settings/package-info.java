/// Plugins that configure the server instead of answering: `bind`, `tls` and `reload`, each with a
/// page `<plugin>.md` in this directory, and the settings that README.md lists, among them those
/// that Corefiles may hold but that have no effect here.
@NullMarked
package io.fairlead.dns.settings;

import org.jspecify.annotations.NullMarked;
