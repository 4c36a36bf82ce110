/// Plugin `whoami`: tells the client its own address and port, and how it asked.
@NullMarked
package io.fairlead.dns.whoami;

import org.jspecify.annotations.NullMarked;
