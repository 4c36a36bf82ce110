package io.fairlead.proxy.nftables;

import io.fairlead.proxy.core.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The elements a plan puts into the table, for people. The same renderer writes them to the
/// kernel.
public final class NftablesText {
  private NftablesText() {}

  /// Sets and maps that hold something, with their elements.
  public static List<String> of(Plan plan) {
    ExpectedTable state =
        ExpectedTable.of(plan, new ChainActionNumbers(), _ -> EndpointNumbering.NONE);
    NftablesTableLayout layout = new NftablesTableLayout(plan.node().family());
    InstalledTable wanted =
        new InstalledTable(true, Map.of(), Map.of(), Map.of(), List.of(), state.elements());
    List<String> lines = new ArrayList<>();
    for (String line : InstalledTableFormatter.of(layout, wanted).lines().toList()) {
      boolean ends = line.equals("  }");
      if (ends && !lines.isEmpty() && lines.getLast().endsWith(" {")) {
        lines.removeLast();
      } else {
        lines.add(line);
      }
    }
    return lines;
  }
}
