/// Requests and answers recorded from the original, replayed against our server.
@NullMarked
package io.fairlead.e2e.golden;

import org.jspecify.annotations.NullMarked;
