/// Plugin `rewrite`: changes questions on their way in and answers on their way out. README.md in
/// this directory has its options and an example.
@NullMarked
package io.fairlead.dns.rewrite;

import org.jspecify.annotations.NullMarked;
