/// Plugin `file`: answers from a zone in a master file (RFC 1035). README.md beside this file has
/// its options and an example.
@NullMarked
package io.fairlead.dns.file;

import org.jspecify.annotations.NullMarked;
