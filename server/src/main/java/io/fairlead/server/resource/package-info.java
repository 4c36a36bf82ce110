@NullMarked
package io.fairlead.server.resource;

import org.jspecify.annotations.NullMarked;
