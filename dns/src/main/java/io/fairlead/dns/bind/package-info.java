/// Plugin `bind`: listens on some addresses only. README.md beside this file has its options and an
/// example.
@NullMarked
package io.fairlead.dns.bind;

import org.jspecify.annotations.NullMarked;
