/// Numbers about the proxy under the names people have dashboards for.
@NullMarked
package io.fairlead.proxy.metrics;

import org.jspecify.annotations.NullMarked;
