/// The plugin `log`, which prints a line for every query (options and an example in README.md), and
/// [AsyncLineWriter], through which it and the plugin `errors` write to standard output.
@NullMarked
package io.fairlead.dns.log;

import org.jspecify.annotations.NullMarked;
