/// Plugins that only set something, and those that Corefiles may hold but that have nothing to do
/// here. README.md beside this file lists them.
@NullMarked
package io.fairlead.dns.settings;

import org.jspecify.annotations.NullMarked;
