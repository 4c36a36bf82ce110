package io.fairlead.insight.finding;

import io.fairlead.insight.evidence.Source;

/// One piece of evidence behind a finding.
///
/// @param node where it was seen; empty when on none
/// @param text what was seen, in English; may be empty
public record Proof(Source source, String node, String text) {}
