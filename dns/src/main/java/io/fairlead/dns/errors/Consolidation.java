package io.fairlead.dns.errors;

import com.google.re2j.Pattern;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// One `consolidate` rule and what it has counted.
///
/// @param level as printed: `ERROR`
record Consolidation(
    Duration period, Pattern pattern, String level, boolean showFirst, AtomicInteger count) {
  Consolidation(Duration period, Pattern pattern, String level, boolean showFirst) {
    this(period, pattern, level, showFirst, new AtomicInteger());
  }
}
