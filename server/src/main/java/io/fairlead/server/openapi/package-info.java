@NullMarked
package io.fairlead.server.openapi;

import org.jspecify.annotations.NullMarked;
