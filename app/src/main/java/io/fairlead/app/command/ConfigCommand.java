package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.ArgumentParser;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Grammar;
import io.fairlead.app.cli.Setting;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.app.cli.Verb;
import io.fairlead.app.dns.CorefileConfiguration;
import io.fairlead.app.dns.NameServer;
import io.fairlead.app.text.Columns;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.proxy.config.ProxyConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead config validate|show|diff|convert [FILE]`: whether a file of settings can be used,
/// what counts with it and where each value comes from, what it changes, and the same for another
/// program. Starts nothing.
public final class ConfigCommand implements Command {
  private static final int DNS_PORT = 53;
  private static final int GAP = 2;

  @Override
  public int run(Arguments arguments, CommandContext context) {
    String verb = arguments.operands().isEmpty() ? "" : arguments.operands().getFirst();
    Optional<Path> file =
        arguments.operands().stream().skip(1).findFirst().map(Path::of).map(Path::toAbsolutePath);
    if (verb.equals("show") || (verb.equals("diff") && file.isPresent())) {
      List<Setting> all = settings(file, context);
      List<Setting> shown =
          verb.equals("show")
              ? all
              : all.stream().filter(each -> !each.value().equals(each.defaultValue())).toList();
      print(shown, arguments, context, verb.equals("diff"));
      return ExitCode.FINE;
    }
    if (verb.equals("validate") && file.isPresent()) {
      validate(file.get(), context);
      return ExitCode.FINE;
    }
    if (verb.equals("convert") && file.isPresent()) {
      convert(file.get(), arguments, context);
      return ExitCode.FINE;
    }
    throw new FairleadException(
        ErrorCode.FL308,
        arguments.verb().name(),
        "validate FILE, show [FILE], diff FILE, convert FILE [--to FORM]");
  }

  /// The new form is data; what is not in it is advice.
  private static void convert(Path file, Arguments arguments, CommandContext context) {
    ConfigConversion converted = ConfigConversion.of(file, arguments.find("to").orElse(""));
    context.terminal().out().print(converted.text());
    converted
        .left()
        .forEach(
            each ->
                context
                    .terminal()
                    .err()
                    .println(
                        context.terminal().markErr(Mark.WARNING)
                            + " "
                            + context.text(each.key(), each.values().toArray())));
  }

  private static void validate(Path file, CommandContext context) {
    ConfigurationFileKind kind = ConfigurationFileKind.of(file);
    List<String> without = List.of();
    switch (kind) {
      case PROXY -> {
        ProxyConfiguration _ = ProxyOptions.checked(file);
      }
      case COREFILE -> check(file, context);
      case SETTINGS, KUBELET -> without = withoutEffect(file, kind, context);
    }
    context
        .terminal()
        .out()
        .println(
            context.terminal().mark(Mark.GOOD)
                + " "
                + context.text("config.valid", file, kind.toString()));
    for (String each : without) {
      context
          .terminal()
          .out()
          .println(
              context.terminal().mark(Mark.WARNING) + " " + context.text("config.without", each));
    }
  }

  private static void check(Path file, CommandContext context) {
    try {
      NameServer.check(
          CorefileConfiguration.of(file.toString(), DNS_PORT, context.environment()),
          context.clock());
    } catch (SetupException e) {
      throw new FairleadException(ErrorCode.FL218, e, file, String.valueOf(e.getMessage()));
    }
  }

  private static List<String> withoutEffect(
      Path file, ConfigurationFileKind kind, CommandContext context) {
    return new ArgumentParser(context.environment())
        .parse(reader(kind), List.of("--config=" + file)).ignored().stream()
            .map(Arguments.Ignored::name)
            .toList();
  }

  private static Verb reader(ConfigurationFileKind kind) {
    return kind == ConfigurationFileKind.KUBELET ? Grammar.AGENT : Grammar.UP;
  }

  /// Without a file, the flags of `up`.
  private static List<Setting> settings(Optional<Path> file, CommandContext context) {
    ArgumentParser parser = new ArgumentParser(context.environment());
    if (file.isEmpty()) {
      return parser.settings(Grammar.UP, "");
    }
    ConfigurationFileKind kind = ConfigurationFileKind.of(file.get());
    return switch (kind) {
      case SETTINGS, KUBELET ->
          parser.settings(reader(kind), file.get().toString()).stream()
              .filter(each -> !each.flag().equals(Grammar.CONFIG_FLAG))
              .toList();
      case PROXY -> fields(file.get());
      case COREFILE ->
          throw new FairleadException(
              ErrorCode.FL303, "FILE", file.get(), "fairlead.yaml, KubeProxyConfiguration");
    };
  }

  /// Each field of the proxy's configuration.
  private static List<Setting> fields(Path file) {
    Map<String, String> own = new TreeMap<>();
    Map<String, String> standard = new TreeMap<>();
    try {
      collect("", Yaml.parse(Files.readString(file)), own::put);
    } catch (IOException e) {
      throw new FairleadException(ErrorCode.FL304, e, "config", file.toString());
    }
    collect("", ProxyConfiguration.defaults().tree(), standard::put);
    List<Setting> settings = new ArrayList<>();
    collect(
        "",
        ProxyOptions.checked(file).tree(),
        (path, value) ->
            settings.add(
                new Setting(
                    path,
                    value,
                    own.containsKey(path) ? file.toString() : Setting.DEFAULT,
                    standard.getOrDefault(path, ""))));
    return settings;
  }

  /// Hands every value of an object over, each by its path.
  static void collect(String path, JsonNode value, BiConsumer<String, String> to) {
    if (value instanceof ObjectNode object && !object.isEmpty()) {
      object
          .properties()
          .forEach(
              member ->
                  collect(
                      path.isEmpty() ? member.getKey() : path + "." + member.getKey(),
                      member.getValue(),
                      to));
    } else {
      to.accept(path, value.isString() ? value.asString() : value.toString());
    }
  }

  private static void print(
      List<Setting> settings, Arguments arguments, CommandContext context, boolean difference) {
    if (arguments.find("output").isPresent()) {
      ArrayNode all = Json.array();
      settings.forEach(
          each ->
              all.addObject()
                  .put("name", each.flag())
                  .put("value", each.value())
                  .put("default", each.defaultValue())
                  .put("origin", each.origin()));
      OutputDocument document = new OutputDocument("Configuration").put("settings", all);
      context.terminal().out().print(document.render(arguments.text("output")));
      return;
    }
    int names = widest(settings.stream().map(Setting::flag).toList());
    List<String> values =
        settings.stream().map(each -> difference ? changed(each) : each.value()).toList();
    int width = widest(values);
    for (int i = 0; i < settings.size(); i++) {
      String line = Columns.pad(settings.get(i).flag(), names + GAP);
      line +=
          arguments.on("origin")
              ? Columns.pad(values.get(i), width + GAP) + settings.get(i).origin()
              : values.get(i);
      context.terminal().out().println(line.stripTrailing());
    }
  }

  private static String changed(Setting setting) {
    return setting.defaultValue().isEmpty()
        ? "+ " + setting.value()
        : setting.defaultValue() + " → " + setting.value();
  }

  private static int widest(List<String> texts) {
    return texts.stream().mapToInt(Columns::width).max().orElse(0);
  }
}
