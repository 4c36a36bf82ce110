/// Plugin `health`: says that the process lives. README.md beside this file has its options and an
/// example.
@NullMarked
package io.fairlead.dns.health;

import org.jspecify.annotations.NullMarked;
