/// Plugin `log`: a line on standard output for every query. README.md beside this file has its
/// options and an example.
@NullMarked
package io.fairlead.dns.log;

import org.jspecify.annotations.NullMarked;
