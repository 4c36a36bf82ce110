/// Priority and fairness: which requests are served now, which wait in a queue, which are refused.
@NullMarked
package io.fairlead.server.flowcontrol;

import org.jspecify.annotations.NullMarked;
