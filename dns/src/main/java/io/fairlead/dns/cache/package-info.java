/// Plugin `cache`: keeps answers of other servers for as long as they say. README.md in this
/// directory has its options and an example.
@NullMarked
package io.fairlead.dns.cache;

import org.jspecify.annotations.NullMarked;
