/// What the controllers that own pods share: the pods, who owns them, how they are made and
/// counted.
@NullMarked
package io.fairlead.controller.workload;

import org.jspecify.annotations.NullMarked;
