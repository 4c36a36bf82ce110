/// Plugin `file`: answers from a zone in a master file (RFC 1035). README.md in this directory has
/// its options and an example.
@NullMarked
package io.fairlead.dns.file;

import org.jspecify.annotations.NullMarked;
