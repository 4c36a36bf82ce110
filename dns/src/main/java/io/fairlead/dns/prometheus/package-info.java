/// Plugin `prometheus`: shows what the server counts. README.md beside this file has its options
/// and an example.
@NullMarked
package io.fairlead.dns.prometheus;

import org.jspecify.annotations.NullMarked;
