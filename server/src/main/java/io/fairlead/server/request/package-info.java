@NullMarked
package io.fairlead.server.request;

import org.jspecify.annotations.NullMarked;
