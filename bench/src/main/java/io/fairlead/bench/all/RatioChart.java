package io.fairlead.bench.all;

import java.util.List;
import java.util.Locale;

/// Draws how many times better ours is, as bars on a logarithmic scale: to the right of the line at
/// 1 ours is better, to the left the original is. Its colours follow the reader's preference of
/// light or dark.
final class RatioChart {
  /// One bar.
  ///
  /// @param text both figures, in words
  record Bar(String label, String text, double ratio) {}

  private static final int WIDTH = 960;
  private static final int LABELS = 370;
  private static final int FIGURES = 230;
  private static final int ROW = 26;
  private static final int TOP = 34;
  private static final int TEXT_DROP = 17;
  private static final int BAR_HEIGHT = 14;
  private static final int BAR_DROP = 6;
  private static final int GAP = 10;
  private static final String STYLE =
      """
      <style>
        text { font: 13px sans-serif; fill: #24292f }
        .tick { font-size: 11px; fill: #57606a }
        .better { fill: #0072b2 }
        .worse { fill: #d55e00 }
        line { stroke: #d0d7de }
        .one { stroke: #57606a }
        @media (prefers-color-scheme: dark) {
          text { fill: #e6edf3 }
          .tick { fill: #9198a1 }
          .better { fill: #56b4e9 }
          .worse { fill: #e69f00 }
          line { stroke: #3d444d }
          .one { stroke: #9198a1 }
        }
      </style>
      """;

  private final List<Bar> bars;
  private final int least;
  private final int most;

  private RatioChart(List<Bar> bars) {
    this.bars = bars;
    this.least = Math.min(-1, decade(bars.stream().mapToDouble(Bar::ratio).min().orElse(1), false));
    this.most = Math.max(1, decade(bars.stream().mapToDouble(Bar::ratio).max().orElse(1), true));
  }

  private static int decade(double ratio, boolean up) {
    double power = Math.log10(ratio);
    return (int) (up ? Math.ceil(power) : Math.floor(power));
  }

  /// @param title read aloud in the place of the picture
  static String draw(String title, List<Bar> bars) {
    return new RatioChart(List.copyOf(bars)).svg(title);
  }

  private String svg(String title) {
    int height = TOP + bars.size() * ROW + GAP;
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">%n",
            WIDTH,
            height));
    svg.append("<title>").append(escape(title)).append("</title>\n").append(STYLE);
    for (int power = least; power <= most; power++) {
      tick(svg, power, height - GAP);
    }
    for (int i = 0; i < bars.size(); i++) {
      bar(svg, bars.get(i), TOP + i * ROW);
    }
    return svg.append("</svg>\n").toString();
  }

  private void tick(StringBuilder svg, int power, int bottom) {
    double x = x(Math.pow(10, power));
    String label =
        power < 0
            ? String.format(Locale.ROOT, "%." + -power + "f×", Math.pow(10, power))
            : String.format(Locale.ROOT, "%,.0f×", Math.pow(10, power));
    svg.append(
        String.format(
            Locale.ROOT,
            "<line%s x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>%n",
            power == 0 ? " class=\"one\"" : "",
            x,
            TOP - BAR_DROP,
            x,
            bottom));
    svg.append(
        String.format(
            Locale.ROOT,
            "<text class=\"tick\" text-anchor=\"middle\" x=\"%.1f\" y=\"%d\">%s</text>%n",
            x,
            TOP - 2 * BAR_DROP,
            label));
  }

  private void bar(StringBuilder svg, Bar bar, int top) {
    double from = x(Math.min(1, bar.ratio()));
    double to = x(Math.max(1, bar.ratio()));
    svg.append(
        String.format(
            Locale.ROOT,
            "<text text-anchor=\"end\" x=\"%d\" y=\"%d\">%s</text>%n",
            LABELS - GAP,
            top + TEXT_DROP,
            escape(bar.label())));
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
            bar.ratio() >= 1 ? "better" : "worse",
            from,
            top + BAR_DROP,
            Math.max(2, to - from),
            BAR_HEIGHT));
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\">%s</text>%n",
            WIDTH - FIGURES + GAP,
            top + TEXT_DROP,
            escape(bar.text())));
  }

  private double x(double ratio) {
    double share = (Math.log10(ratio) - least) / (most - least);
    return LABELS + share * (WIDTH - LABELS - FIGURES);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
