/// Counts what namespaces use of their quotas.
@NullMarked
package io.fairlead.controller.quota;

import org.jspecify.annotations.NullMarked;
