package io.fairlead.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.dns.plugin.BlockSettings;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.testing.Rig;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every default and every key of the plugins' options. `plugin-options.txt` has the shortest lines
/// of each plugin with the options they mean, then lines with every key and what those mean.
class PluginOptionsTest {
  private static final Path EXPECTED =
      Path.of("src/test/resources/io/fairlead/dns/plugin-options.txt");

  // They take no options, change the settings of the block, or have rules instead (rewrite).
  private static final Set<String> WITHOUT_OPTIONS =
      Set.of(
          "any",
          "bind",
          "bufsize",
          "debug",
          "federation",
          "local",
          "metadata",
          "minimal",
          "multisocket",
          "on",
          "pprof",
          "proxy",
          "rewrite",
          "root",
          "shed",
          "timeouts",
          "tls",
          "trace",
          "whoami");

  // Without a key: the first zone of the block.
  private static final Set<String> NOT_VARIED = Set.of("loop zone");

  @TempDir Path directory;

  record Row(String plugin, String config, String expected) {
    @Override
    public String toString() {
      return config.replace("\n", " ");
    }
  }

  static List<Row> rows() throws IOException {
    Pattern row = Pattern.compile("(?ms)^## (\\S+)\n(.*?)\n=>\n(.*?)\n(?=\n|\\z)");
    return row.matcher(Files.readString(EXPECTED))
        .results()
        .map(each -> new Row(each.group(1), each.group(2), each.group(3)))
        .toList();
  }

  private Map<String, String> options(Row row) throws Exception {
    Files.writeString(directory.resolve("weights"), "a.org\n192.0.2.1 3\n");
    Files.writeString(directory.resolve("resolv.conf"), "search cluster.local\n");
    String records = "\n@ 300 IN SOA ns host 1 7200 1800 86400 60\n@ 300 IN NS ns\n";
    Files.writeString(directory.resolve("zone"), "$ORIGIN example.org." + records);
    Files.writeString(directory.resolve("zone2"), "$ORIGIN example.net." + records);
    Map<String, String> all = new TreeMap<>();
    try (Rig rig = new Rig(row.config().replace("DIR", directory.toString()), Rig.refusing())) {
      for (Plugin plugin : rig.plugins()) {
        if (plugin.name().equals(row.plugin())) {
          for (Record each : plugin.options()) {
            flatten("", each, all);
          }
        }
      }
    }
    return all;
  }

  private void flatten(String prefix, Record options, Map<String, String> into) throws Exception {
    for (RecordComponent each : options.getClass().getRecordComponents()) {
      each.getAccessor().setAccessible(true);
      Object value = each.getAccessor().invoke(options);
      String path = prefix + each.getName();
      if (value instanceof Record nested
          && nested.toString().startsWith(nested.getClass().getSimpleName() + "[")) {
        flatten(path + ".", nested, into);
      } else {
        String text = String.valueOf(value).replace(directory.toString(), "DIR");
        into.put(path, text.isEmpty() ? "(empty)" : text.replace("\n", "\\n"));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isReadInto(Row row) throws Exception {
    String actual =
        options(row).entrySet().stream()
            .map(each -> each.getKey() + " = " + each.getValue())
            .collect(Collectors.joining("\n"));
    assertThat(actual).isEqualTo(row.expected());
  }

  @Test
  void everyPluginHasRowsAndEveryOptionAKey() throws Exception {
    Set<String> plugins = new TreeSet<>(WITHOUT_OPTIONS);
    Map<String, Map<String, String>> shortest = new TreeMap<>();
    Set<String> same = new TreeSet<>();
    for (Row row : rows()) {
      plugins.add(row.plugin());
      Map<String, String> first = shortest.putIfAbsent(row.plugin(), options(row));
      options(row)
          .forEach(
              (option, value) -> {
                String key = row.plugin() + " " + option;
                if (first == null) {
                  same.add(key);
                } else if (!value.equals(first.get(option))) {
                  same.remove(key);
                }
              });
    }
    assertThat(plugins).isEqualTo(new TreeSet<>(StandardPlugins.byName().keySet()));
    assertThat(same).isEqualTo(new TreeSet<>(NOT_VARIED));
  }

  @Test
  void listenersHaveTheseDefaults() {
    assertThat(BlockSettings.DEFAULTS)
        .isEqualTo(
            new BlockSettings(
                List.of(),
                null,
                BlockSettings.ClientAuthentication.NONE,
                OptionalInt.empty(),
                Duration.ofSeconds(3),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                -1,
                1232));
  }

  @Test
  void linesSetHowListenersBehave() throws Exception {
    String config =
        """
        bind 127.0.0.1
        multisocket 3
        bufsize 1400
        timeouts {
          read 4s
          write 6s
          idle 1m
          maxtcpqueries 7
        }
        """;
    try (Rig rig = new Rig(config, Rig.refusing())) {
      assertThat(rig.settings())
          .isEqualTo(
              new BlockSettings(
                  List.of("127.0.0.1"),
                  null,
                  BlockSettings.ClientAuthentication.NONE,
                  OptionalInt.of(3),
                  Duration.ofSeconds(4),
                  Duration.ofSeconds(6),
                  Duration.ofMinutes(1),
                  7,
                  1400));
    }
  }
}
