/// Roles and their bindings.
@NullMarked
package io.fairlead.server.resources.rbac;

import org.jspecify.annotations.NullMarked;
