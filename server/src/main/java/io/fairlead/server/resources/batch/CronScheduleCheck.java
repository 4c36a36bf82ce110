package io.fairlead.server.resources.batch;

import io.fairlead.api.schema.Durations;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Says what is wrong with a schedule in cron's notation, in the words of the parser that CronJobs
/// are used to.
final class CronScheduleCheck {
  private static final Set<String> DESCRIPTORS =
      Set.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");
  private static final String EVERY = "@every ";
  private static final Map<String, Integer> MONTHS =
      numbered(1, "jan feb mar apr may jun jul aug" + " sep oct nov dec");
  private static final Map<String, Integer> DAYS = numbered(0, "sun mon tue wed thu fri sat");
  private static final List<Unit> UNITS =
      List.of(
          new Unit(0, 59, Map.of()),
          new Unit(0, 23, Map.of()),
          new Unit(1, 31, Map.of()),
          new Unit(1, 12, MONTHS),
          new Unit(0, 6, DAYS));

  /// One of the five fields.
  private record Unit(int least, int most, Map<String, Integer> names) {}

  private CronScheduleCheck() {}

  /// The problem, or nothing.
  static String problem(String schedule) {
    if (schedule.startsWith("@")) {
      return descriptor(schedule);
    }
    String text = schedule.strip();
    String[] fields = text.isEmpty() ? new String[0] : text.split("\\s+");
    if (fields.length != UNITS.size()) {
      return "expected exactly 5 fields, found "
          + fields.length
          + ": ["
          + String.join(" ", fields)
          + "]";
    }
    for (int i = 0; i < fields.length; i++) {
      for (String range : fields[i].split(",")) {
        String problem = range(range, UNITS.get(i));
        if (!problem.isEmpty()) {
          return problem;
        }
      }
    }
    return "";
  }

  private static String descriptor(String text) {
    if (text.startsWith(EVERY)) {
      String period = text.substring(EVERY.length());
      return Durations.isDuration(period)
          ? ""
          : "failed to parse duration " + text + ": time: invalid duration \"" + period + "\"";
    }
    return DESCRIPTORS.contains(text) ? "" : "unrecognized descriptor: " + text;
  }

  private static String range(String text, Unit unit) {
    String[] parts = text.split("/", -1);
    String[] ends = parts[0].split("-", -1);
    boolean any = ends[0].equals("*") || ends[0].equals("?");
    String[] numbers = any ? new String[0] : ends;
    if (!any && ends.length > 2) {
      return "too many hyphens: " + text;
    }
    for (String number : numbers) {
      String problem = number(number, unit);
      if (!problem.isEmpty()) {
        return problem;
      }
    }
    if (parts.length > 2) {
      return "too many slashes: " + text;
    }
    if (parts.length == 2) {
      String problem = number(parts[1], new Unit(0, 0, Map.of()));
      if (!problem.isEmpty()) {
        return problem;
      }
    }
    int begin = any ? unit.least : value(ends[0], unit);
    int end = any ? unit.most : value(ends[ends.length - 1], unit);
    if (!any && ends.length == 1 && parts.length == 2) {
      end = unit.most;
    }
    if (begin < unit.least) {
      return "beginning of range (" + begin + ") below minimum (" + unit.least + "): " + text;
    }
    if (end > unit.most) {
      return "end of range (" + end + ") above maximum (" + unit.most + "): " + text;
    }
    if (begin > end) {
      return "beginning of range (" + begin + ") beyond end of range (" + end + "): " + text;
    }
    return parts.length == 2 && Integer.parseInt(parts[1]) == 0
        ? "step of range should be a positive number: " + text
        : "";
  }

  private static String number(String text, Unit unit) {
    return unit.names.containsKey(text.toLowerCase(Locale.ROOT)) || text.matches("[0-9]{1,9}")
        ? ""
        : "failed to parse int from "
            + text
            + ": strconv.Atoi: parsing \""
            + text
            + "\": invalid syntax";
  }

  private static int value(String text, Unit unit) {
    Integer named = unit.names.get(text.toLowerCase(Locale.ROOT));
    return named == null ? Integer.parseInt(text) : named;
  }

  private static Map<String, Integer> numbered(int first, String names) {
    Map<String, Integer> numbers = new java.util.HashMap<>();
    int number = first;
    for (String name : names.split(" ")) {
      numbers.put(name, number);
      number++;
    }
    return Map.copyOf(numbers);
  }
}
