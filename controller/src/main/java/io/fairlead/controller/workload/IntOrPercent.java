package io.fairlead.controller.workload;

import tools.jackson.databind.JsonNode;

/// A number of pods, given as such or as a share: `3`, `25%`.
public final class IntOrPercent {
  private IntOrPercent() {}

  /// The number it means of a total; the default where nothing, or nothing readable, is given.
  public static int of(JsonNode value, int total, boolean roundUp, int otherwise) {
    if (value.isNumber()) {
      return value.asInt(otherwise);
    }
    String text = value.asString("");
    if (!text.endsWith("%")) {
      return otherwise;
    }
    try {
      long percent = Long.parseLong(text.substring(0, text.length() - 1));
      long hundredths = percent * total;
      return Math.toIntExact(roundUp ? Math.ceilDiv(hundredths, 100) : hundredths / 100);
    } catch (NumberFormatException _) {
      return otherwise;
    }
  }
}
