/// Plugin `autopath`: walks the client's search path for it. README.md beside this file has its
/// options and an example.
@NullMarked
package io.fairlead.dns.autopath;

import org.jspecify.annotations.NullMarked;
