package io.fairlead.dns.settings;

import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.BlockSettings;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes plugins that set something once and are done.
public final class SettingFactory implements PluginFactory {
  private static final Logger log = LoggerFactory.getLogger(SettingFactory.class);
  private static final int MOST_SOCKETS = 1024;
  private static final int LEAST_SIZE = 512;
  private static final int MOST_SIZE = 4096;
  private static final Duration MOST_TIME = Duration.ofHours(24);

  /// Reads the lines of one plugin.
  @FunctionalInterface
  private interface Reader {
    void read(List<Directive> lines, BlockContext context) throws SetupException;
  }

  private final String name;
  private final Reader reader;

  private SettingFactory(String name, Reader reader) {
    this.name = name;
    this.reader = reader;
  }

  /// All of them.
  public static List<PluginFactory> all() {
    return List.of(
        new SettingFactory("bufsize", SettingFactory::bufsize),
        new SettingFactory("multisocket", SettingFactory::multisocket),
        new SettingFactory("root", SettingFactory::root),
        new SettingFactory("timeouts", SettingFactory::timeouts),
        new SettingFactory(
            "debug", (lines, _) -> DirectiveReader.bare(DirectiveReader.only(lines))),
        new SettingFactory(
            "metadata", (lines, _) -> DirectiveReader.noBlock(DirectiveReader.only(lines))),
        inert("federation"),
        inert("pprof"),
        inert("trace"),
        inert("on"),
        inert("shed"));
  }

  private static SettingFactory inert(String name) {
    return new SettingFactory(
        name,
        (lines, _) ->
            log.atInfo()
                .addKeyValue("plugin", name)
                .addKeyValue("line", lines.getFirst().line())
                .log("accepted, but it has nothing to do here"));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    reader.read(lines, context);
    return () -> name;
  }

  private static void bufsize(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    DirectiveReader.count(line, 0, 1, "bufsize [SIZE]");
    DirectiveReader.noBlock(line);
    int size =
        line.arguments().isEmpty()
            ? BlockSettings.UDP_LIMIT
            : DirectiveReader.integer(line, line.arguments().getFirst(), LEAST_SIZE, MOST_SIZE);
    context.settings(context.settings().withUdpLimit(size));
  }

  private static void multisocket(List<Directive> lines, BlockContext context)
      throws SetupException {
    Directive line = DirectiveReader.only(lines);
    DirectiveReader.count(line, 0, 1, "multisocket [COUNT]");
    DirectiveReader.noBlock(line);
    if (!line.arguments().isEmpty()) {
      int count = DirectiveReader.integer(line, line.arguments().getFirst(), 1, MOST_SOCKETS);
      context.settings(context.settings().withSockets(count));
    }
  }

  private static void root(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    DirectiveReader.count(line, 1, 1, "root PATH");
    DirectiveReader.noBlock(line);
    if (!Files.isDirectory(Path.of(line.arguments().getFirst()))) {
      log.atWarn()
          .addKeyValue("path", line.arguments().getFirst())
          .addKeyValue("block", context.block().line())
          .log("the directory of root does not exist");
    }
  }

  private static void timeouts(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    DirectiveReader.count(
        line, 0, 0, "timeouts { read|write|idle DURATION; maxtcpqueries NUMBER }");
    if (line.block().isEmpty()) {
      throw line.problem("timeouts needs a block with read, write, idle or maxtcpqueries");
    }
    BlockSettings before = context.settings();
    Duration read = before.readTimeout();
    Duration write = before.writeTimeout();
    Duration idle = before.idleTimeout();
    int queries = before.maxTcpQueries();
    for (Directive option : line.block()) {
      DirectiveReader.count(option, 1, 1, option.name() + " VALUE");
      String value = option.arguments().getFirst();
      switch (option.name()) {
        case "read" -> read = time(option, value);
        case "write" -> write = time(option, value);
        case "idle" -> idle = time(option, value);
        case "maxtcpqueries" ->
            queries = DirectiveReader.integer(option, value, -1, Integer.MAX_VALUE);
        default ->
            throw DirectiveReader.unknown(line, option, "read", "write", "idle", "maxtcpqueries");
      }
    }
    context.settings(before.withTimeouts(read, write, idle).withMaxTcpQueries(queries));
  }

  private static Duration time(Directive option, String value) throws SetupException {
    Duration time = DirectiveReader.seconds(option, value);
    if (time.compareTo(Duration.ofSeconds(1)) < 0 || time.compareTo(MOST_TIME) > 0) {
      throw option.problem(option.name() + " must be between 1s and 24h");
    }
    return time;
  }
}
