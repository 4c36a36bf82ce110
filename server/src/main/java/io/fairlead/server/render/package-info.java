@NullMarked
package io.fairlead.server.render;

import org.jspecify.annotations.NullMarked;
