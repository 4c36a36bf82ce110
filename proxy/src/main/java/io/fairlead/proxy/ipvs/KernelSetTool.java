package io.fairlead.proxy.ipvs;

import io.fairlead.kernel.process.Tool;
import io.fairlead.kernel.process.ToolException;
import io.fairlead.proxy.core.DataPlaneException;
import java.util.stream.Stream;

/// The true tool.
public final class KernelSetTool implements SetTool {
  private final Tool tool;

  /// @param tool where it runs
  public KernelSetTool(Tool tool) {
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
      Tool.Result result =
          tool.run(input, Stream.concat(Stream.of("ipset"), Stream.of(arguments)).toList());
      if (!result.succeeded()) {
        throw new DataPlaneException(
            "ipset " + String.join(" ", arguments) + ": " + result.error().strip());
      }
      return result.output();
    } catch (ToolException e) {
      throw new DataPlaneException(String.valueOf(e.getMessage()), e);
    }
  }
}
