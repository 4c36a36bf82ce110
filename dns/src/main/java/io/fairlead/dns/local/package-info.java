/// Plugin `local`: answers names that must not leave the machine: `localhost` and the reverse zones
/// of 127.0.0.0/8, 0.0.0.0/8, 255.0.0.0/8 and ::1 (RFC 6303, RFC 6761). README.md beside this file
/// has its options and an example.
@NullMarked
package io.fairlead.dns.local;

import org.jspecify.annotations.NullMarked;
