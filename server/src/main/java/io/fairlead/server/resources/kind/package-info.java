/// What resources of all kinds share: how they are described, named, seen through views.
@NullMarked
package io.fairlead.server.resources.kind;

import org.jspecify.annotations.NullMarked;
