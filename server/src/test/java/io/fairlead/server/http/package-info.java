@NullMarked
package io.fairlead.server.http;

import org.jspecify.annotations.NullMarked;
