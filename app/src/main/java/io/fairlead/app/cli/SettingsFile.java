package io.fairlead.app.cli;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.names.NearestName;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.text.Phrase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Flags from a file, `fairlead.yaml`: each key is the name of a flag without its dashes, a list
/// stands for a value with commas. An unknown key is an error that names its line.
final class SettingsFile {
  private static final List<String> HEAD = List.of("apiVersion", "kind");

  private SettingsFile() {}

  /// The values of the file by name of the flag.
  static Map<String, String> read(Verb verb, Path file) {
    String text;
    JsonNode document;
    try {
      text = Files.readString(file);
      document = Yaml.parse(text);
    } catch (IOException e) {
      throw new FairleadException(ErrorCode.FL304, e, "--config", file);
    } catch (DecodeException e) {
      throw new FairleadException(ErrorCode.FL310, e, file, String.valueOf(e.getMessage()));
    }
    Map<String, String> values = new TreeMap<>();
    if (document.isNull()) {
      return values;
    }
    if (!(document instanceof ObjectNode settings)) {
      throw new FairleadException(ErrorCode.FL310, file, Phrase.of("FL310.noobject"));
    }
    for (Map.Entry<String, JsonNode> member : settings.properties()) {
      if (!HEAD.contains(member.getKey())) {
        Flag flag = flag(verb, member.getKey(), file, text);
        values.put(flag.name(), value(flag, member.getValue()));
      }
    }
    return values;
  }

  private static Flag flag(Verb verb, String key, Path file, String text) {
    Optional<Flag> flag =
        verb.allFlags()
            .filter(each -> each.name().equals(key) && !each.name().equals("config"))
            .findFirst();
    return flag.orElseThrow(
        () ->
            new FairleadException(
                ErrorCode.FL310,
                file,
                NearestName.to(key, verb.allFlags().map(Flag::name))
                    .map(near -> Phrase.of("FL310.unknown", key, line(key, text), near))
                    .orElse(Phrase.of("FL310.far", key, line(key, text)))));
  }

  /// The line a key stands on, counted from 1.
  private static long line(String key, String text) {
    return text.lines()
            .takeWhile(line -> !line.strip().matches("[\"']?\\Q" + key + "\\E[\"']?\\s*:.*"))
            .count()
        + 1;
  }

  private static String value(Flag flag, JsonNode value) {
    if (value.isArray()) {
      return StreamSupport.stream(value.spliterator(), false)
          .map(each -> value(flag, each))
          .collect(Collectors.joining(","));
    }
    // To YAML the words on and off are true and false.
    if (value.isBoolean() && List.of(flag.value().split("\\|")).contains("on")) {
      return value.asBoolean() ? "on" : "off";
    }
    return value.isString() ? value.asString() : value.toString();
  }
}
