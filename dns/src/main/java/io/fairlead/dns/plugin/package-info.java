/// What a plugin is: how it is set up from its lines in the Corefile, how it takes part in
/// answering, and what it may ask of the server around it.
///
/// A block of the Corefile becomes a chain of plugins in the order of
/// [io.fairlead.dns.plugin.PluginOrder]. Each gets the query and the rest of the chain, and returns
/// an answer: its own, the rest's, or the rest's changed.
@NullMarked
package io.fairlead.dns.plugin;

import org.jspecify.annotations.NullMarked;
