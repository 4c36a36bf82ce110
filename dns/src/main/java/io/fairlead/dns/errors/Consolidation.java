package io.fairlead.dns.errors;

import com.google.re2j.Pattern;
import java.time.Duration;

/// One `consolidate` rule.
///
/// @param level as printed: `ERROR`
record Consolidation(Duration period, Pattern pattern, String level, boolean showFirst) {}
