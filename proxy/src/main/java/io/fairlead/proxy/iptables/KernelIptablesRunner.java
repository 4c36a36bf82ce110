package io.fairlead.proxy.iptables;

import io.fairlead.kernel.nftables.LastWriter;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.NftMonitor;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.CommandRunnerException;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.ForeignWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The true tools, of either variant: both read and print the same language. Only the one that
/// keeps its rules in nf_tables lets us know when others change them.
public final class KernelIptablesRunner implements IptablesRunner {
  private static final Logger log = LoggerFactory.getLogger(KernelIptablesRunner.class);
  private static final int AROUND = 3;

  private final Iptables iptables;
  private final ForeignChanges foreign;
  private final LastWriter writer = new LastWriter();

  public KernelIptablesRunner(Iptables iptables) {
    this.iptables = iptables;
    this.foreign =
        new ForeignChanges(
            switch (iptables.family()) {
              case IPV4 -> NftFamily.IP;
              case IPV6 -> NftFamily.IP6;
            });
  }

  @Override
  public void restore(String document) {
    CommandRunner.Result result = run(() -> iptables.restore(document, foreign::started));
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
    CommandRunner.Result result = run(() -> iptables.command(List.of("-S", chain, "-t", table)));
    return result.exit() == 0 || result.exit() == Iptables.EXIT_RESOURCE;
  }

  @Override
  public Watch watch(Runnable changed) {
    try {
      if (iptables.usesNftables()) {
        return NftMonitor.changes(
                event -> {
                  boolean concerns = foreign.concerns(event);
                  writer.seen(event, concerns);
                  if (concerns) {
                    changed.run();
                  }
                })
            ::close;
      }
    } catch (SystemCallException | CommandRunnerException e) {
      log.atInfo().addKeyValue("why", e.getMessage()).log("changes of others are looked for only");
    }
    return () -> {};
  }

  @Override
  public Optional<ForeignWriter> lastWriter() {
    return writer.last().map(one -> new ForeignWriter(one.processName(), one.process()));
  }

  private static String printed(Supplier<CommandRunner.Result> call, String table) {
    CommandRunner.Result result = run(call);
    if (!result.succeeded()) {
      throw new DataPlaneException(
          "iptables-save cannot print the table " + table + ": " + result.error().strip());
    }
    return result.output();
  }

  private static CommandRunner.Result run(Supplier<CommandRunner.Result> call) {
    try {
      return call.get();
    } catch (CommandRunnerException e) {
      throw new DataPlaneException(String.valueOf(e.getMessage()), e);
    }
  }
}
