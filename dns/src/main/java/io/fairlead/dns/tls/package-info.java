/// Plugin `tls`: the certificate of encrypted listeners. README.md beside this file has its options
/// and an example.
@NullMarked
package io.fairlead.dns.tls;

import org.jspecify.annotations.NullMarked;
