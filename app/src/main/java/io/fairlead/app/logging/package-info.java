/// Log lines in klog's format or as JSON.
@NullMarked
package io.fairlead.app.logging;

import org.jspecify.annotations.NullMarked;
