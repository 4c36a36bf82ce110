/// The small HTTP servers of the proxy.
@NullMarked
package io.fairlead.proxy.http;

import org.jspecify.annotations.NullMarked;
