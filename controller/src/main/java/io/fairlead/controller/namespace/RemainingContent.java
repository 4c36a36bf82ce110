package io.fairlead.controller.namespace;

import io.fairlead.client.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What one attempt to empty a namespace found. Filled by the attempt, read by the conditions.
final class RemainingContent {
  private final List<String> discoveryFailures = new ArrayList<>();
  private final List<String> deletionFailures = new ArrayList<>();
  private final Map<String, Integer> remaining = new TreeMap<>();
  private final Map<String, Integer> finalizers = new TreeMap<>();

  void discoveryFailed(String what) {
    discoveryFailures.add(what);
  }

  void deletionFailed(ResourceType type, String why) {
    deletionFailures.add(type + ": " + why);
  }

  void remains(ResourceType type, List<String> itsFinalizers) {
    remaining.merge(type.plural() + "." + type.group(), 1, Integer::sum);
    itsFinalizers.forEach(finalizer -> finalizers.merge(finalizer, 1, Integer::sum));
  }

  /// Nothing is left, and nothing could have been overlooked.
  boolean empty() {
    return discoveryFailures.isEmpty() && deletionFailures.isEmpty() && remaining.isEmpty();
  }

  List<String> discoveryFailures() {
    return discoveryFailures;
  }

  List<String> deletionFailures() {
    return deletionFailures;
  }

  Map<String, Integer> remaining() {
    return remaining;
  }

  Map<String, Integer> finalizers() {
    return finalizers;
  }
}
