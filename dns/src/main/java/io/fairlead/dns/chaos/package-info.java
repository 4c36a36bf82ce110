/// Plugin `chaos [VERSION] [AUTHORS...]`: answers questions about the server itself in class CH:
/// `version.bind`, `version.server`, `authors.bind`, `hostname.bind` and `id.server`. README.md
/// beside this file has its options and an example.
@NullMarked
package io.fairlead.dns.chaos;

import org.jspecify.annotations.NullMarked;
