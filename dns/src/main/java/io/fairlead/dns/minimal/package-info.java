/// Plugin `minimal`: leaves out what a client did not ask for: authority and additional records of
/// answers that hold what was asked. README.md beside this file has its options and an example.
@NullMarked
package io.fairlead.dns.minimal;

import org.jspecify.annotations.NullMarked;
