/// Running the tools of the system whose kernel interface is not open to others.
@NullMarked
package io.fairlead.kernel.process;

import org.jspecify.annotations.NullMarked;
