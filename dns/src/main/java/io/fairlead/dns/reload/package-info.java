/// Plugin `reload`: takes over a changed Corefile. README.md beside this file has its options and
/// an example.
@NullMarked
package io.fairlead.dns.reload;

import org.jspecify.annotations.NullMarked;
