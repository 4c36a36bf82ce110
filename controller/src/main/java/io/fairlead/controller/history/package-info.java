/// Versions of pod templates that StatefulSets and DaemonSets keep, as ControllerRevisions.
@NullMarked
package io.fairlead.controller.history;

import org.jspecify.annotations.NullMarked;
