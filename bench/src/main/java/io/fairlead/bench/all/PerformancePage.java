package io.fairlead.bench.all;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// Writes `docs/performance.md`, its Chinese twin and their charts. All of it follows from the
/// figures, so a page that says something else than its figures can be told.
record PerformancePage(List<PartFigures> parts) {
  /// Beside the page.
  static final String FIGURES = "performance.jsonl";

  PerformancePage {
    parts = List.copyOf(parts);
  }

  /// @param docs the directory of the English page
  void write(Path docs) throws IOException {
    Files.createDirectories(docs.resolve("zh-CN"));
    Files.createDirectories(docs.resolve("images"));
    Files.writeString(docs.resolve("performance.md"), text(false));
    Files.writeString(docs.resolve("zh-CN/performance.md"), text(true));
    for (ComparisonGroup group : ComparisonGroup.values()) {
      for (boolean chinese : List.of(false, true)) {
        Files.writeString(
            docs.resolve("images").resolve(group.file() + (chinese ? ".zh-CN.svg" : ".svg")),
            chart(group, chinese));
      }
    }
  }

  /// The table of all rows, as a run prints it.
  String table() {
    StringBuilder table =
        new StringBuilder("| what | original | Fairlead | ratio |\n|---|---|---|---|\n");
    for (ComparisonGroup group : ComparisonGroup.values()) {
      rows(table, group, false);
    }
    return table.toString();
  }

  private String text(boolean chinese) {
    StringBuilder page = new StringBuilder();
    page.append(chinese ? CHINESE_HEAD : ENGLISH_HEAD);
    facts(page, chinese);
    for (ComparisonGroup group : ComparisonGroup.values()) {
      String title = chinese ? group.chinese : group.english;
      page.append("\n## ").append(title).append("\n\n");
      page.append("![").append(title).append("](").append(chinese ? "../" : "");
      page.append("images/").append(group.file()).append(chinese ? ".zh-CN.svg" : ".svg");
      page.append(")\n\n");
      page.append(
          chinese ? "| 测量内容 | 原版 | Fairlead | 倍数 |\n" : "| what | original | Fairlead | ratio |\n");
      page.append("|---|---|---|---|\n");
      rows(page, group, chinese);
    }
    return page.toString();
  }

  private void rows(StringBuilder table, ComparisonGroup group, boolean chinese) {
    for (Comparison row : group.rows) {
      Optional<Comparison.Outcome> outcome = row.outcome(parts);
      table.append("| ").append(chinese ? row.chinese() : row.english());
      if (outcome.isEmpty()) {
        table.append(chinese ? " | 未测量 | 未测量 | – |\n" : " | not measured | not measured | – |\n");
      } else {
        table.append(" | ").append(row.unit().text(outcome.get().original()));
        table.append(" | ").append(row.unit().text(outcome.get().ours()));
        table.append(" | ").append(ratio(outcome.get().better())).append(" |\n");
      }
    }
  }

  private static String ratio(double better) {
    if (!Double.isFinite(better)) {
      return "–";
    }
    String text = FigureUnit.number(better);
    return better < 1 ? "**" + text + "**" : text;
  }

  private String chart(ComparisonGroup group, boolean chinese) {
    List<RatioChart.Bar> bars = new ArrayList<>();
    for (Comparison row : group.rows) {
      row.outcome(parts)
          .filter(outcome -> Double.isFinite(outcome.better()) && outcome.better() > 0)
          .ifPresent(
              outcome ->
                  bars.add(
                      new RatioChart.Bar(
                          chinese ? row.chinese() : row.english(),
                          row.unit().text(outcome.original())
                              + " → "
                              + row.unit().text(outcome.ours())
                              + ", "
                              + FigureUnit.number(outcome.better())
                              + "×",
                          outcome.better())));
    }
    return RatioChart.draw(chinese ? group.chinese : group.english, bars);
  }

  private void facts(StringBuilder page, boolean chinese) {
    page.append(
        chinese
            ? "| 部分 | 日期 | 提交 | 之前的负载 | 秒 |\n"
            : "| part | date | commit | load before | seconds |\n");
    page.append("|---|---|---|---|---|\n");
    TreeSet<String> machines = new TreeSet<>();
    TreeSet<String> originals = new TreeSet<>();
    for (PartFigures part : parts) {
      page.append("| `").append(part.fact(PartFigures.PART)).append("` | ");
      page.append(part.fact("date")).append(" | ").append(part.fact("commit")).append(" | ");
      page.append(part.fact("load")).append(" | ").append(part.fact("seconds")).append(" |\n");
      machines.add(part.fact("machine"));
      originals.add(part.fact("originals"));
    }
    page.append(chinese ? "\n机器：" : "\nMachine: ").append(String.join("; ", machines));
    page.append(chinese ? "。\n\n原版：" : ".\n\nOriginals: ").append(String.join("; ", originals));
    page.append(chinese ? "。\n" : ".\n");
  }

  private static final String ENGLISH_HEAD =
      """
      # Performance beside the originals

      [简体中文](zh-CN/performance.md)

      `./dev bench all --originals` wrote this page and its charts from the figures it measured, which are in [performance.jsonl](performance.jsonl). Nothing on it is written by hand.

      - Ours and the original take turns on one machine in one run. The ratio is formed inside each round; medians over the rounds are shown.
      - **ratio** says how many times better Fairlead is: 2 is half the time, half the memory or twice the rate of the original. A ratio below 1 is bold: there the original is better.
      - A figure alone says little about another machine. Measure yours:

      ```
      ./dev bench all --originals              # every part, in less than half an hour; goes on where it was interrupted
      ./dev bench all --originals --part=api   # one part again
      ```

      It finds kube-apiserver, kube-controller-manager, kube-scheduler, kube-proxy and CoreDNS by `KUBE_APISERVER`, `KUBE_CONTROLLER_MANAGER`, `KUBE_SCHEDULER`, `KUBE_PROXY` and `COREDNS`, or beside the checkout, and etcd on the `PATH`.

      """;

  private static final String CHINESE_HEAD =
      """
      # 与原版并排的性能

      [English](../performance.md)

      本页和其中的图由 `./dev bench all --originals` 根据它测得的数据写成，数据在 [performance.jsonl](../performance.jsonl)。没有一处是手写的。

      - 我们的程序和原版在同一台机器、同一次运行中轮流测量。倍数在每一轮之内计算；显示的是各轮的中位数。
      - **倍数**表示 Fairlead 好多少倍：2 表示只用原版一半的时间、一半的内存，或者速率是原版的两倍。小于 1 的倍数用粗体：那里原版更好。
      - 单独一个数字对另一台机器说明不了什么。请在自己的机器上测量：

      ```
      ./dev bench all --originals              # every part, in less than half an hour; goes on where it was interrupted
      ./dev bench all --originals --part=api   # one part again
      ```

      它通过 `KUBE_APISERVER`、`KUBE_CONTROLLER_MANAGER`、`KUBE_SCHEDULER`、`KUBE_PROXY` 和 `COREDNS`，或者在代码目录旁边，找到 kube-apiserver、kube-controller-manager、kube-scheduler、kube-proxy 和 CoreDNS；etcd 在 `PATH` 上找。

      """;
}
