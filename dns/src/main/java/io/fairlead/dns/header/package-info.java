/// Plugin `header`: sets and clears flags. README.md beside this file has its options and an
/// example.
@NullMarked
package io.fairlead.dns.header;

import org.jspecify.annotations.NullMarked;
