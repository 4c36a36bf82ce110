package io.fairlead.app.cli;

import io.fairlead.api.schema.Durations;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the user asked of a verb, after flags, environment and defaults were put together and
/// checked.
///
/// @param verb which verb
/// @param operands what is not a flag
/// @param values flag name to value; a flag that is not set and has no default is absent
/// @param ignored what was said and has no effect
public record Arguments(
    Verb verb, List<String> operands, Map<String, String> values, List<Ignored> ignored) {
  /// A flag or a field of a file without effect.
  ///
  /// @param name as the user wrote it
  /// @param reason the end of the key of a sentence, `ignored.REASON`
  public record Ignored(String name, String reason) {}

  public Arguments {
    ignored = List.copyOf(ignored);
    operands = List.copyOf(operands);
    values = Map.copyOf(values);
  }

  /// The value of a flag that has a default.
  public String text(String flag) {
    return find(flag).orElseThrow(() -> new IllegalArgumentException("no value for --" + flag));
  }

  /// The value of a flag that may be unset.
  public Optional<String> find(String flag) {
    return Optional.ofNullable(values.get(flag));
  }

  public Optional<Path> path(String flag) {
    return find(flag).map(Path::of).map(path -> path.toAbsolutePath().normalize());
  }

  public boolean on(String flag) {
    return find(flag).map(Boolean::parseBoolean).orElse(false);
  }

  public int number(String flag) {
    return Integer.parseInt(text(flag));
  }

  public Duration seconds(String flag) {
    return Duration.ofSeconds(number(flag));
  }

  public Duration duration(String flag) {
    String text = text(flag);
    Long nanos = Durations.nanoseconds(text);
    if (nanos == null) {
      throw new IllegalArgumentException("no duration: " + text);
    }
    return Duration.ofNanos(nanos);
  }

  /// The values of a flag that may be given several times; empty when unset.
  public List<String> repeated(String flag) {
    return find(flag)
        .filter(text -> !text.isBlank())
        .map(text -> List.of(text.strip().split("\\s+")))
        .orElse(List.of());
  }

  /// A comma-separated value; empty when unset.
  public List<String> list(String flag) {
    return find(flag)
        .filter(text -> !text.isEmpty())
        .map(text -> List.of(text.split(",")))
        .orElse(List.of());
  }
}
