package io.fairlead.dns.plugin;

/// A plugin that can say how it fares, in a sentence for people. Shown by `health`, asked from any
/// thread.
public interface HealthDetail {
  String healthDetail();
}
