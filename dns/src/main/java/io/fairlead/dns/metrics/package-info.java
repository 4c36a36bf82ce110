/// What the server counts, under the names CoreDNS gave them, so that dashboards keep working.
@NullMarked
package io.fairlead.dns.metrics;

import org.jspecify.annotations.NullMarked;
