package io.fairlead.app.cli;

import io.fairlead.api.names.Nearest;
import io.fairlead.api.schema.Durations;
import io.fairlead.app.text.Phrase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// Turns the words after a verb into [Arguments]: flag, then environment, then file, then default.
///
/// How it works: picocli is told the flags of this one verb through its programmatic model (no
/// annotations, no reflection). Its classes cost about 0.1 s to load, so a command without any flag
/// does not touch it, nor do help and [PlainFlags].
public final class ArgumentParser {
  /// More workers or addresses than anybody means.
  private static final int MOST = 100_000;

  private final Map<String, String> environment;

  public ArgumentParser(Map<String, String> environment) {
    this.environment = environment;
  }

  /// Parses and checks; a [Problem] names the word at fault.
  public Arguments parse(Verb verb, List<String> words) {
    Map<String, String> given = new HashMap<>();
    List<String> operands =
        words.stream().noneMatch(word -> word.startsWith("-"))
            ? words
            : parseFlags(verb, words, given);
    if (operands.size() > (verb.operand().isEmpty() ? 0 : 1)) {
      throw new Problem(Code.FL307, verb.name(), operands.getLast());
    }
    Map<String, String> values = new HashMap<>();
    String file = file(verb, given);
    Map<String, String> settings =
        file.isEmpty() ? Map.of() : SettingsFile.read(verb, Path.of(file));
    verb.allFlags().forEach(flag -> put(flag, given, settings, file, values));
    return new Arguments(verb, operands, values);
  }

  /// The file with further flags, for a verb that reads one; empty for none.
  private String file(Verb verb, Map<String, String> given) {
    if (!verb.name().equals(Grammar.UP.name())) {
      return "";
    }
    String file =
        given.getOrDefault(
            Grammar.CONFIG.name(), environment.getOrDefault(Grammar.CONFIG.variable(), ""));
    return file.isEmpty() ? "" : check(Grammar.CONFIG, file, dashed(Grammar.CONFIG.name()));
  }

  private void put(
      Flag flag,
      Map<String, String> given,
      Map<String, String> settings,
      String file,
      Map<String, String> values) {
    String name = flag.name();
    String fromEnvironment = environment.getOrDefault(flag.variable(), "");
    if (given.containsKey(name)) {
      values.put(name, check(flag, given.getOrDefault(name, ""), dashed(name)));
    } else if (!fromEnvironment.isEmpty()) {
      values.put(name, check(flag, fromEnvironment, flag.variable()));
    } else if (settings.containsKey(name)) {
      values.put(name, check(flag, settings.getOrDefault(name, ""), file + ": " + name));
    } else if (!flag.defaultValue().isEmpty()) {
      values.put(name, check(flag, flag.defaultValue(), dashed(name)));
    }
  }

  private static List<String> parseFlags(Verb verb, List<String> words, Map<String, String> given) {
    Optional<Map<String, String>> plain = PlainFlags.read(verb, words);
    if (plain.isPresent()) {
      given.putAll(plain.get());
      return List.of();
    }
    return parseAny(verb, words, given);
  }

  private static List<String> parseAny(Verb verb, List<String> words, Map<String, String> given) {
    CommandSpec spec = CommandSpec.create();
    verb.allFlags().forEach(flag -> spec.addOption(option(flag)));
    spec.addPositional(
        PositionalParamSpec.builder()
            .arity("0..*")
            .type(List.class)
            .auxiliaryTypes(String.class)
            .build());
    CommandLine line =
        new CommandLine(spec)
            .setUnmatchedArgumentsAllowed(true)
            .setOverwrittenOptionsAllowed(true)
            .setExpandAtFiles(false)
            .setPosixClusteredShortOptionsAllowed(false);
    ParseResult result;
    try {
      result = line.parseArgs(words.toArray(String[]::new));
    } catch (ParameterException e) {
      throw new Problem(Code.FL302, e, verb.name(), flagOf(e));
    }
    result.unmatched().stream().findFirst().ifPresent(word -> unknown(verb, word));
    verb.allFlags()
        .filter(flag -> result.hasMatchedOption(dashed(flag.name())))
        .forEach(flag -> given.put(flag.name(), matched(result, flag)));
    List<String> operands = result.matchedPositionalValue(0, List.of());
    return operands;
  }

  private static String flagOf(ParameterException e) {
    return Stream.concat(
            e instanceof MissingParameterException missing
                ? missing.getMissing().stream()
                : Stream.empty(),
            Stream.ofNullable(e.getArgSpec()))
        .filter(OptionSpec.class::isInstance)
        .map(spec -> ((OptionSpec) spec).longestName())
        .findFirst()
        .orElse("?");
  }

  private static String matched(ParseResult result, Flag flag) {
    Object value = result.matchedOptionValue(dashed(flag.name()), "");
    return value instanceof List<?> list
        ? String.join(",", list.stream().map(String::valueOf).toList())
        : String.valueOf(value);
  }

  private static OptionSpec option(Flag flag) {
    List<String> names = new ArrayList<>(List.of(dashed(flag.name())));
    if (!flag.shortName().isEmpty()) {
      names.add("-" + flag.shortName());
    }
    OptionSpec.Builder option = OptionSpec.builder(names.toArray(String[]::new));
    return switch (flag.kind()) {
      case SWITCH -> option.arity("0..1").type(String.class).fallbackValue("true").build();
      case LIST -> option.arity("1").type(List.class).auxiliaryTypes(String.class).build();
      case CHOICE -> {
        boolean bare = flag.value().equals("true|false");
        yield option
            .arity(bare ? "0..1" : "1")
            .type(String.class)
            .fallbackValue(bare ? "true" : "")
            .build();
      }
      case TEXT, NUMBER, PORT, INPUT_FILE, OUTPUT_FILE, DIRECTORY, SECONDS, COUNT, DURATION, FREE ->
          option.arity("1").type(String.class).build();
    };
  }

  private static String dashed(String name) {
    return (name.length() == 1 ? "-" : "--") + name;
  }

  private static void unknown(Verb verb, String word) {
    String typed = word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
    Phrase next =
        Nearest.to(typed, verb.allFlags().map(flag -> dashed(flag.name())))
            .map(near -> Phrase.of("FL301.near", verb.name(), near))
            .orElse(Phrase.of("FL301.far", verb.name()));
    throw new Problem(Code.FL301, verb.name(), typed, next);
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
          throw new Problem(Code.FL303, name, value, "250ms, 15s, 1m30s");
        }
        yield value;
      }
      case INPUT_FILE -> {
        if (!Files.isReadable(Path.of(value)) || Files.isDirectory(Path.of(value))) {
          throw new Problem(Code.FL304, name, value);
        }
        yield value;
      }
      case FREE -> value;
      case TEXT, OUTPUT_FILE, DIRECTORY, LIST -> {
        if (value.isBlank()) {
          throw new Problem(Code.FL303, name, value, flag.value());
        }
        yield value;
      }
    };
  }

  private static String oneOf(String name, String value, String choices) {
    if (Stream.of(choices.split("\\|")).noneMatch(value::equals)) {
      throw new Problem(Code.FL303, name, value, choices.replace("|", ", "));
    }
    return value;
  }

  private static String count(String name, String value) {
    String checked = number(name, value, MOST);
    if (Integer.parseInt(checked) == 0) {
      throw new Problem(Code.FL303, name, value, "1-" + MOST);
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
      throw new Problem(Code.FL303, name, value, "0-" + largest);
    }
    return value;
  }
}
