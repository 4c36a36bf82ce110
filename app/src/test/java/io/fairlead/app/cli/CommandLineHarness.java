package io.fairlead.app.cli;

import io.fairlead.app.command.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Runs command lines inside the test, with an environment and a home of its own, and without the
/// proxies that other tests run on this machine.
public final class CommandLineHarness {
  private final Map<String, String> environment = new HashMap<>();
  private final Map<String, String> properties = new HashMap<>();

  /// What a command line did.
  public record Result(int exit, String out, String err) {}

  public CommandLineHarness() {
    environment.put("LANG", "C.UTF-8");
    environment.put("PATH", System.getenv().getOrDefault("PATH", ""));
    environment.put("HOME", "/nonexistent");
    properties.put("fairlead.local", "off");
  }

  public CommandLineHarness with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  public CommandLineHarness property(String name, String value) {
    properties.put(name, value);
    return this;
  }

  public CommandContext context(ByteArrayOutputStream out, ByteArrayOutputStream err) {
    return CommandContext.of(
        environment,
        properties,
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        InstantSource.system());
  }

  public Result run(String... words) {
    return run(Main.shell(), words);
  }

  public Result run(CommandDispatcher shell, String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit = shell.run(List.of(words), context(out, err));
    return new Result(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
