/// Plugin `forward`: asks other servers. README.md beside this file has its options and an example.
@NullMarked
package io.fairlead.dns.forward;

import org.jspecify.annotations.NullMarked;
