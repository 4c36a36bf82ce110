package io.fairlead.proxy.iptables;

import io.fairlead.kernel.process.Iptables;
import io.fairlead.kernel.process.Tool;
import io.fairlead.kernel.process.ToolException;
import io.fairlead.proxy.core.DataPlaneException;
import java.util.List;
import java.util.function.Supplier;

/// The true tools. They come in two variants, one that speaks to the old interface of the kernel
/// and one that keeps the same rules in nf_tables; both read and print the same language, so which
/// of them is installed does not matter here.
public final class KernelRuleTool implements RuleTool {
  private static final int AROUND = 3;

  private final Iptables iptables;

  public KernelRuleTool(Iptables iptables) {
    this.iptables = iptables;
  }

  @Override
  public void restore(String document) {
    Tool.Result result = run(() -> iptables.restore(document));
    if (!result.succeeded()) {
      throw new DataPlaneException(
          "iptables-restore refused the rules: "
              + result.error().strip()
              + Iptables.failedLine(result).stream()
                  .mapToObj(line -> excerpt(document, line))
                  .findFirst()
                  .orElse(""));
    }
  }

  /// The lines around the one the tool blames.
  private static String excerpt(String document, int failed) {
    List<String> lines = document.lines().toList();
    StringBuilder text = new StringBuilder();
    for (int line = Math.max(1, failed - AROUND);
        line <= Math.min(lines.size(), failed + AROUND);
        line++) {
      text.append('\n').append(line == failed ? "> " : "  ").append(lines.get(line - 1));
    }
    return text.toString();
  }

  @Override
  public String save(String table) {
    return printed(() -> iptables.save(table), table);
  }

  @Override
  public String saveWithCounters(String table) {
    String program =
        switch (iptables.family()) {
          case IPV4 -> "iptables-save";
          case IPV6 -> "ip6tables-save";
        };
    return printed(() -> iptables.tool().run("", List.of(program, "-c", "-t", table)), table);
  }

  @Override
  public boolean hasChain(String table, String chain) {
    Tool.Result result = run(() -> iptables.command(List.of("-S", chain, "-t", table)));
    return result.exit() == 0 || result.exit() == Iptables.EXIT_RESOURCE;
  }

  private static String printed(Supplier<Tool.Result> call, String table) {
    Tool.Result result = run(call);
    if (!result.succeeded()) {
      throw new DataPlaneException(
          "iptables-save cannot print the table " + table + ": " + result.error().strip());
    }
    return result.output();
  }

  private static Tool.Result run(Supplier<Tool.Result> call) {
    try {
      return call.get();
    } catch (ToolException e) {
      throw new DataPlaneException(String.valueOf(e.getMessage()), e);
    }
  }
}
