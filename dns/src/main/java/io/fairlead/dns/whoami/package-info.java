/// Plugin `whoami`: tells the client its own address and port, and how it asked. README.md beside
/// this file has its options and an example.
@NullMarked
package io.fairlead.dns.whoami;

import org.jspecify.annotations.NullMarked;
