/// `fairlead expose`: a Service for a workload that is there.
@NullMarked
package io.fairlead.app.command.expose;

import org.jspecify.annotations.NullMarked;
