package io.fairlead.app.cli;

import io.fairlead.api.schema.Durations;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Turns the words after a verb into [Arguments]: flag, then environment, then file, then default.
public final class ArgumentParser {
  /// More workers or addresses than anybody means.
  private static final int MOST = 100_000;

  private final Map<String, String> environment;

  public ArgumentParser(Map<String, String> environment) {
    this.environment = environment;
  }

  /// Parses and checks; a [FairleadException] names the word at fault.
  public Arguments parse(Verb verb, List<String> words) {
    FlagParser.ParsedLine line = FlagParser.parse(verb, verb.own(words));
    Map<String, String> given = line.given();
    List<String> operands = verb.runsOther() ? verb.other(words) : line.operands();
    if (!verb.runsOther() && operands.size() > verb.most()) {
      throw new FairleadException(ErrorCode.FL307, verb.name(), operands.getLast());
    }
    Map<String, String> values = new HashMap<>();
    List<Arguments.Ignored> ignored = new ArrayList<>(line.ignored());
    settings(verb, given, ignored).forEach(each -> values.put(each.flag(), each.value()));
    return new Arguments(verb, operands, values, ignored);
  }

  /// What every flag of a verb is without a command line, and where that comes from.
  ///
  /// @param file with further flags; empty for none but what the environment names
  public List<Setting> settings(Verb verb, String file) {
    Map<String, String> given = file.isEmpty() ? Map.of() : Map.of(Grammar.CONFIG.name(), file);
    return settings(verb, given, new ArrayList<>());
  }

  private List<Setting> settings(
      Verb verb, Map<String, String> given, List<Arguments.Ignored> ignored) {
    String file = file(verb, given);
    Map<String, String> settings = file.isEmpty() ? Map.of() : settings(verb, file, ignored);
    return verb.allFlags().flatMap(flag -> setting(flag, given, settings, file).stream()).toList();
  }

  private static Map<String, String> settings(
      Verb verb, String file, List<Arguments.Ignored> ignored) {
    if (!verb.name().equals(Grammar.AGENT.name())) {
      return SettingsFile.read(verb, Path.of(file));
    }
    KubeletConfigurationFile kubelet = KubeletConfigurationFile.read(Path.of(file));
    kubelet
        .ignored()
        .forEach(field -> ignored.add(new Arguments.Ignored(file + ": " + field, "field")));
    return kubelet.flags();
  }

  /// The file with further flags, for a verb that reads one; empty for none.
  private String file(Verb verb, Map<String, String> given) {
    if (!verb.name().equals(Grammar.UP.name()) && !verb.name().equals(Grammar.AGENT.name())) {
      return "";
    }
    String file =
        given.getOrDefault(
            Grammar.CONFIG.name(), environment.getOrDefault(Grammar.CONFIG.variable(), ""));
    return file.isEmpty() ? "" : check(Grammar.CONFIG, file, FlagParser.dashed(Grammar.CONFIG));
  }

  /// Empty for a flag that is not set and has no default.
  private Optional<Setting> setting(
      Flag flag, Map<String, String> given, Map<String, String> settings, String file) {
    String name = flag.name();
    String fromEnvironment = environment.getOrDefault(flag.variable(), "");
    if (given.containsKey(name)) {
      String dashed = FlagParser.dashed(flag);
      return Optional.of(
          new Setting(name, check(flag, given.getOrDefault(name, ""), dashed), dashed, flag));
    }
    if (!fromEnvironment.isEmpty()) {
      return Optional.of(
          new Setting(name, check(flag, fromEnvironment, flag.variable()), flag.variable(), flag));
    }
    if (settings.containsKey(name)) {
      String value = check(flag, settings.getOrDefault(name, ""), file + ": " + name);
      return Optional.of(new Setting(name, value, file, flag));
    }
    return flag.defaultValue().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Setting(
                name,
                check(flag, flag.defaultValue(), FlagParser.dashed(flag)),
                Setting.DEFAULT,
                flag));
  }

  /// @param name where the value stands
  private static String check(Flag flag, String value, String name) {
    return switch (flag.kind()) {
      case SWITCH -> oneOf(name, value, "true|false");
      case CHOICE -> oneOf(name, value, flag.value());
      case PORT -> number(name, value, 65_535);
      case NUMBER -> number(name, value, 100);
      case SECONDS ->
          number(
              name, value.endsWith("s") ? value.substring(0, value.length() - 1) : value, 86_400);
      case COUNT -> count(name, value);
      case DURATION -> {
        Long nanos = Durations.nanoseconds(value);
        if (nanos == null || nanos < 0) {
          throw new FairleadException(ErrorCode.FL303, name, value, "250ms, 15s, 1m30s");
        }
        yield value;
      }
      case INPUT_FILE -> {
        if (!Files.isReadable(Path.of(value)) || Files.isDirectory(Path.of(value))) {
          throw new FairleadException(ErrorCode.FL304, name, value);
        }
        yield value;
      }
      case FREE -> value;
      case TEXT, OUTPUT_FILE, DIRECTORY, LIST, REPEATED -> {
        if (value.isBlank()) {
          throw new FairleadException(ErrorCode.FL303, name, value, flag.value());
        }
        yield value;
      }
    };
  }

  private static String oneOf(String name, String value, String choices) {
    if (Stream.of(choices.split("\\|")).noneMatch(value::equals)) {
      throw new FairleadException(ErrorCode.FL303, name, value, choices.replace("|", ", "));
    }
    return value;
  }

  private static String count(String name, String value) {
    String checked = number(name, value, MOST);
    if (Integer.parseInt(checked) == 0) {
      throw new FairleadException(ErrorCode.FL303, name, value, "1-" + MOST);
    }
    return checked;
  }

  private static String number(String name, String value, int largest) {
    int number = -1;
    if (value.length() < 7
        && !value.isEmpty()
        && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
      number = Integer.parseInt(value);
    }
    if (number < 0 || number > largest) {
      throw new FairleadException(ErrorCode.FL303, name, value, "0-" + largest);
    }
    return value;
  }
}
