@NullMarked
package io.fairlead.server.resources;

import org.jspecify.annotations.NullMarked;
