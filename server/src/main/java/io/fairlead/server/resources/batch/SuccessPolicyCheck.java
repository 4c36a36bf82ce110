package io.fairlead.server.resources.batch;

import io.fairlead.api.schema.GoForm;
import io.fairlead.server.resources.kind.Problems;
import tools.jackson.databind.JsonNode;

/// Validates `successPolicy` of a Job: which indexes, or how many, make it a success.
final class SuccessPolicyCheck {
  private static final int MOST_RULES = 20;
  private static final int LONGEST = 64 * 1024;

  private SuccessPolicyCheck() {}

  static void check(JsonNode spec, String path, Problems problems) {
    JsonNode policy = spec.path("successPolicy");
    if (!policy.isObject()) {
      return;
    }
    if (!spec.path("completionMode").asString("").equals("Indexed")) {
      problems.invalid(
          path + ".successPolicy",
          GoForm.internal(policy, "io.k8s.api.batch.v1.SuccessPolicy"),
          "requires indexed completion mode");
      return;
    }
    JsonNode rules = policy.path("rules");
    String list = path + ".successPolicy.rules";
    if (rules.isEmpty()) {
      problems.required(
          list, "at least one rules must be specified when the successPolicy is specified");
    }
    if (rules.size() > MOST_RULES) {
      problems.add(io.fairlead.api.status.FieldError.tooMany(list, rules.size(), MOST_RULES));
    }
    for (int i = 0; i < rules.size(); i++) {
      rule(rules.path(i), spec.path("completions"), list + "[" + i + "]", problems);
    }
  }

  private static void rule(JsonNode rule, JsonNode completions, String path, Problems problems) {
    JsonNode count = rule.path("succeededCount");
    JsonNode indexes = rule.path("succeededIndexes");
    if (!count.isNumber() && !indexes.isString()) {
      problems.required(
          path, "at least one of succeededCount or succeededIndexes must be specified");
    }
    long total = 0;
    if (indexes.isString()) {
      String text = indexes.stringValue();
      if (text.length() > LONGEST) {
        problems.add(
            io.fairlead.api.status.FieldError.tooLong(path + ".succeededIndexes", LONGEST));
      }
      Indexes read = Indexes.read(text, completions.asLong(0));
      if (!read.problem.isEmpty()) {
        problems.invalid(
            path + ".succeededIndexes", text, "error parsing succeededIndexes: " + read.problem);
      }
      total = read.total;
    }
    if (!count.isNumber()) {
      return;
    }
    String at = path + ".succeededCount";
    problems.notNegative(at, count);
    if (completions.isNumber() && count.asLong(0) > completions.asLong(0)) {
      problems.invalid(
          at,
          count,
          "must be less than or equal to "
              + completions.asLong(0)
              + " (the number of specified completions)");
    }
    if (indexes.isString() && count.asLong(0) > total) {
      problems.invalid(
          at,
          count,
          "must be less than or equal to "
              + total
              + " (the number of indexes in the specified succeededIndexes field)");
    }
  }

  /// A list such as `0-2,4`.
  private record Indexes(long total, String problem) {

    static Indexes read(String text, long completions) {
      if (text.isEmpty()) {
        return new Indexes(0, "");
      }
      long total = 0;
      long last = -1;
      for (String part : text.split(",", -1)) {
        String[] ends = part.split("-", -1);
        if (ends.length > 2) {
          return new Indexes(
              0,
              "the fragment \""
                  + part
                  + "\" violates the requirement that an index interval"
                  + " can have at most two parts separated by '-'");
        }
        long first = -1;
        for (String end : ends) {
          if (!end.matches("[0-9]{1,9}")) {
            return new Indexes(0, "cannot convert string to integer for index: \"" + end + "\"");
          }
          long index = Long.parseLong(end);
          if (index >= completions) {
            return new Indexes(0, "too large index: \"" + end + "\"");
          }
          if (last >= index) {
            return new Indexes(
                0, "non-increasing order, previous: " + last + ", current: " + index);
          }
          last = index;
          first = first < 0 ? index : first;
        }
        total += last - first + 1;
      }
      return new Indexes(total, "");
    }
  }
}
