/// Who of several equal processes does the work.
@NullMarked
package io.fairlead.client.lease;

import org.jspecify.annotations.NullMarked;
