/// Plugin `errors`: a line on standard output for every query that failed. README.md beside this
/// file has its options and an example.
@NullMarked
package io.fairlead.dns.errors;

import org.jspecify.annotations.NullMarked;
