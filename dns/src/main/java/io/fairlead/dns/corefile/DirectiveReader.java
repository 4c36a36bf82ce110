package io.fairlead.dns.corefile;

import io.fairlead.api.names.NearestName;
import io.fairlead.api.schema.Durations;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.ServerBlock;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.wire.Name;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Reads the words of a plugin's lines, with the same errors for the same mistakes everywhere.
public final class DirectiveReader {
  private DirectiveReader() {}

  /// The single line of a plugin that may stand in a block only once.
  public static Directive only(List<Directive> lines) throws SetupException {
    if (lines.size() > 1) {
      Directive second = lines.get(1);
      throw second.problem(
          second.name()
              + " can only be used once per server block; it already stands in line "
              + lines.getFirst().line());
    }
    return lines.getFirst();
  }

  /// Checks how many words follow.
  ///
  /// @param usage how the line should look
  public static void count(Directive line, int least, int most, String usage)
      throws SetupException {
    int count = line.arguments().size();
    if (count < least || count > most) {
      throw line.problem(
          "wrong number of arguments for " + line.name() + " (" + count + "); usage: " + usage);
    }
  }

  /// Checks that a line has no block.
  public static void noBlock(Directive line) throws SetupException {
    if (!line.block().isEmpty()) {
      throw line.block().getFirst().problem(line.name() + " takes no block");
    }
  }

  /// A line that must stand alone: no arguments, no block.
  public static void bare(Directive line) throws SetupException {
    count(line, 0, 0, line.name());
    noBlock(line);
  }

  /// The error for a word that is no option of a plugin.
  public static SetupException unknown(Directive line, Directive option, String... known) {
    String nearest =
        NearestName.to(option.name(), List.of(known).stream())
            .map(name -> "; did you mean '" + name + "'?")
            .orElse(
                known.length == 0 ? "; it has no options" : "; it has " + String.join(", ", known));
    return option.problem("unknown property '" + option.name() + "' of " + line.name() + nearest);
  }

  public static Duration duration(Directive line, String text) throws SetupException {
    Long nanoseconds = Durations.nanoseconds(text);
    if (nanoseconds == null || nanoseconds < 0) {
      throw line.problem(
          "invalid duration '" + text + "' for " + line.name() + "; write it like 300ms or 1h30m");
    }
    return Duration.ofNanos(nanoseconds);
  }

  /// A time that may also be written as a bare number of seconds.
  public static Duration seconds(Directive line, String text) throws SetupException {
    boolean bare = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return duration(line, bare ? text + "s" : text);
  }

  public static int integer(Directive line, String text, int least, int most)
      throws SetupException {
    try {
      int value = Integer.parseInt(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw line.problem("'" + text + "' is not a number, in " + line.name());
    }
    throw line.problem(line.name() + " " + text + " is not between " + least + " and " + most);
  }

  /// Zones and ranges written out.
  public static DnsZones zones(Directive line, List<String> texts) throws SetupException {
    List<Name> zones = new ArrayList<>();
    for (String text : texts) {
      try {
        zones.addAll(DnsZones.read(text));
      } catch (IllegalArgumentException e) {
        throw line.problem(line.name() + ": " + e.getMessage());
      }
    }
    return new DnsZones(zones);
  }

  /// Zones written out, or those of the server block when there are none.
  public static DnsZones zones(Directive line, List<String> texts, ServerBlock block)
      throws SetupException {
    return texts.isEmpty() ? new DnsZones(block.zones()) : zones(line, texts);
  }
}
