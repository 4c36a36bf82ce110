/// Plugin `ready`: says whether the plugins are ready to answer. README.md beside this file has its
/// options and an example.
@NullMarked
package io.fairlead.dns.ready;

import org.jspecify.annotations.NullMarked;
