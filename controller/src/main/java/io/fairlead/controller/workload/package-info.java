/// What the controllers that own pods share: the pods and their owners, creating and deleting them,
/// revisions of templates, and writing status.
@NullMarked
package io.fairlead.controller.workload;

import org.jspecify.annotations.NullMarked;
