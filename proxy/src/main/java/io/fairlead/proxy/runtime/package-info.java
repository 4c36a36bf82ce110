/// The running proxy: watches, plans, applies, reports.
@NullMarked
package io.fairlead.proxy.runtime;

import org.jspecify.annotations.NullMarked;
