/// Plugin `transfer`: gives whole zones to other servers. README.md in this directory has its
/// options and an example.
@NullMarked
package io.fairlead.dns.transfer;

import org.jspecify.annotations.NullMarked;
