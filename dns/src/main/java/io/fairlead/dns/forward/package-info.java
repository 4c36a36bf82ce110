/// Plugin `forward`: asks other servers. README.md in this directory has its options and an
/// example.
@NullMarked
package io.fairlead.dns.forward;

import org.jspecify.annotations.NullMarked;
