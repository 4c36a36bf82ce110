package io.fairlead.proxy.ipvs;

import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.CommandRunnerException;
import io.fairlead.proxy.core.DataPlaneException;
import java.util.stream.Stream;

/// The true tool.
public final class KernelIpsetRunner implements IpsetRunner {
  private final CommandRunner tool;

  /// @param tool where it runs
  public KernelIpsetRunner(CommandRunner tool) {
    this.tool = tool;
  }

  @Override
  public void restore(String document) {
    run(document, "restore", "-exist");
  }

  @Override
  public String save() {
    return run("", "save");
  }

  /// `ipset v7.17, protocol version: 7`.
  public String version() {
    return run("", "--version").strip();
  }

  private String run(String input, String... arguments) {
    try {
      CommandRunner.Result result =
          tool.run(input, Stream.concat(Stream.of("ipset"), Stream.of(arguments)).toList());
      if (!result.succeeded()) {
        throw new DataPlaneException(
            "ipset " + String.join(" ", arguments) + ": " + result.error().strip());
      }
      return result.output();
    } catch (CommandRunnerException e) {
      throw new DataPlaneException(String.valueOf(e.getMessage()), e);
    }
  }
}
