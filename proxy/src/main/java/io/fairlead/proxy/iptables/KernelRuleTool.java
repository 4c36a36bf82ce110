package io.fairlead.proxy.iptables;

import io.fairlead.kernel.nftables.Family;
import io.fairlead.kernel.nftables.Monitor;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.kernel.process.Tool;
import io.fairlead.kernel.process.ToolException;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.core.DataPlaneException;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The true tools, of either variant: both read and print the same language. Only the one that
/// keeps its rules in nf_tables lets us know when others change them.
public final class KernelRuleTool implements RuleTool {
  private static final Logger log = LoggerFactory.getLogger(KernelRuleTool.class);
  private static final int AROUND = 3;

  private final Iptables iptables;
  private final ForeignChanges foreign;

  public KernelRuleTool(Iptables iptables) {
    this.iptables = iptables;
    this.foreign =
        new ForeignChanges(
            switch (iptables.family()) {
              case IPV4 -> Family.IP;
              case IPV6 -> Family.IP6;
            });
  }

  @Override
  public void restore(String document) {
    Tool.Result result = run(() -> iptables.restore(document, foreign::started));
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
    return printed(() -> iptables.saveWithCounters(table), table);
  }

  @Override
  public boolean hasChain(String table, String chain) {
    Tool.Result result = run(() -> iptables.command(List.of("-S", chain, "-t", table)));
    return result.exit() == 0 || result.exit() == Iptables.EXIT_RESOURCE;
  }

  @Override
  public Watch watch(Runnable changed) {
    try {
      if (iptables.usesNftables()) {
        return Monitor.changes(
                event -> {
                  if (foreign.concerns(event)) {
                    changed.run();
                  }
                })
            ::close;
      }
    } catch (SystemCallException | ToolException e) {
      log.atInfo().addKeyValue("why", e.getMessage()).log("changes of others are looked for only");
    }
    return () -> {};
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
