/// The plugin `errors`: prints a line for every query that failed. README.md in this directory has
/// its options and an example.
@NullMarked
package io.fairlead.dns.errors;

import org.jspecify.annotations.NullMarked;
