package io.fairlead.dns.log;

import io.fairlead.dns.corefile.DnsZones;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One `log` line.
///
/// @param slow a query that takes longer is logged whatever its class; null for no such rule
record LogRule(
    DnsZones names, LineFormat format, Set<ReplyClass> classes, @Nullable Duration slow) {}
