@NullMarked
package io.fairlead.server.webhook;

import org.jspecify.annotations.NullMarked;
