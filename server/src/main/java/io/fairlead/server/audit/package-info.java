/// Who did what and when: one line for each request that changes something.
@NullMarked
package io.fairlead.server.audit;

import org.jspecify.annotations.NullMarked;
