@NullMarked
package io.fairlead.server.auth;

import org.jspecify.annotations.NullMarked;
