package io.fairlead.bench.all;

import static io.fairlead.bench.all.FigureUnit.COUNT;
import static io.fairlead.bench.all.FigureUnit.MEGABYTES;
import static io.fairlead.bench.all.FigureUnit.MICROSECONDS;
import static io.fairlead.bench.all.FigureUnit.MILLISECONDS;
import static io.fairlead.bench.all.FigureUnit.PER_SECOND;

import java.util.List;
import java.util.stream.Stream;

/// What is compared with one original, as one chart and one table of the page.
enum ComparisonGroup {
  PROXY("The proxy and kube-proxy", "服务代理与 kube-proxy", proxy()),
  API("The API server and kube-apiserver with etcd", "API 服务器与 kube-apiserver 加 etcd", api()),
  ENDPOINTS(
      "The controllers and kube-controller-manager", "控制器与 kube-controller-manager", endpoints()),
  DNS("The DNS server and CoreDNS, one core each", "DNS 服务器与 CoreDNS，各用一个核", dns()),
  CHAIN("Everything together and the originals together", "全部组件与全部原版组件", chain());

  final String english;
  final String chinese;
  final List<Comparison> rows;

  ComparisonGroup(String english, String chinese, List<Comparison> rows) {
    this.english = english;
    this.chinese = chinese;
    this.rows = rows;
  }

  /// The name of its chart.
  String file() {
    return "performance-" + name().toLowerCase(java.util.Locale.ROOT);
  }

  private static List<Comparison> proxy() {
    String[] nftables = {"fairlead-nftables", "kube-proxy-nftables"};
    String[] iptables = {"fairlead-iptables", "kube-proxy-iptables"};
    String[] connect = {"nftables", "kube-proxy-nftables"};
    String[] connectIptables = {"iptables", "kube-proxy-iptables"};
    return List.of(
        row(
            "New Service → first packet, among 10,000",
            "新 Service → 第一个包，共 10,000 个",
            MILLISECONDS,
            "new-10000",
            "p50_ms",
            nftables),
        row("The same among 100", "同上，共 100 个", MILLISECONDS, "new-100", "p50_ms", nftables),
        row(
            "The same among 1,000, iptables mode",
            "同上，共 1,000 个，iptables 模式",
            MILLISECONDS,
            "new-1000",
            "p50_ms",
            iptables),
        row(
            "Endpoints come → first packet, among 10,000",
            "端点出现 → 第一个包，共 10,000 个",
            MILLISECONDS,
            "ready-10000",
            "p50_ms",
            nftables),
        row(
            "Endpoints go → refused, among 10,000",
            "端点消失 → 被拒绝，共 10,000 个",
            MILLISECONDS,
            "gone-10000",
            "p50_ms",
            nftables),
        row(
            "Cold start → last of 10,000 answers",
            "冷启动 → 10,000 个中最后一个应答",
            MILLISECONDS,
            "launch-10000",
            "ms",
            nftables),
        row(
            "Processor time of one change, among 10,000",
            "一次变更的处理器时间，共 10,000 个",
            MILLISECONDS,
            "change-10000",
            "cpu_ms",
            nftables),
        row(
            "Memory with 10,000 Services",
            "10,000 个 Service 时的内存",
            MEGABYTES,
            "process-10000",
            "rss_mb",
            nftables),
        row(
            "Memory with 100 Services",
            "100 个 Service 时的内存",
            MEGABYTES,
            "process-100",
            "rss_mb",
            nftables),
        row(
            "A connection through one of 10,000 Services",
            "经由 10,000 个 Service 之一的连接",
            MICROSECONDS,
            "connect-10000",
            "p50_us",
            connect),
        row(
            "The same in iptables mode",
            "同上，iptables 模式",
            MICROSECONDS,
            "connect-10000",
            "p50_us",
            connectIptables));
  }

  private static List<Comparison> api() {
    String[] who = {"fairlead", "kube-apiserver"};
    return List.of(
        row("Creates, 16 clients", "创建，16 个客户端", PER_SECOND, "create-16", "per_second", who),
        row("Creates, 1 client", "创建，1 个客户端", PER_SECOND, "create-1", "per_second", who),
        row(
            "The first creates after the start, 1 client",
            "启动后最初的创建，1 个客户端",
            PER_SECOND,
            "create-cold",
            "per_second",
            who),
        row("Gets, 16 clients", "读取，16 个客户端", PER_SECOND, "get-16", "per_second", who),
        row("List of 10,000 Services", "列出 10,000 个 Service", MILLISECONDS, "list", "ms", who),
        row(
            "Write → last of 1,000 watchers, median",
            "写入 → 1,000 个 watch 中最后一个，中位数",
            MILLISECONDS,
            "watch",
            "last_p50_ms",
            who),
        row(
            "Write → last of 1,000 watchers, 99 %",
            "写入 → 1,000 个 watch 中最后一个，99 %", MILLISECONDS, "watch", "last_p99_ms", who),
        row("Start until ready", "启动到就绪", MILLISECONDS, "start", "ms", who),
        row("Memory when empty", "空载内存", MEGABYTES, "empty", "rss_mb", who),
        row(
            "Memory with 10,000 Services",
            "10,000 个 Service 时的内存",
            MEGABYTES,
            "full",
            "rss_mb",
            who));
  }

  private static List<Comparison> endpoints() {
    String[] who = {"fairlead", "kube-apiserver"};
    return List.of(
        row(
            "3,000 pods come → all in EndpointSlices",
            "3,000 个 pod 出现 → 全部进入 EndpointSlice",
            MILLISECONDS,
            "pods-3000",
            "ms",
            who),
        row(
            "Pod's status → its slice, 1,000 Services, median",
            "pod 状态 → 对应切片，1,000 个 Service，中位数",
            MILLISECONDS,
            "pod-to-slice-1000",
            "p50_ms",
            who),
        row("The same, 99 %", "同上，99 %", MILLISECONDS, "pod-to-slice-1000", "p99_ms", who),
        row("Memory of the controllers", "控制器的内存", MEGABYTES, "controllers-1000", "rss_mb", who));
  }

  private static List<Comparison> dns() {
    Stream<Comparison> cluster =
        Stream.of(
            row(
                "Names of 10,000 Services",
                "10,000 个 Service 的名字",
                PER_SECOND,
                "queries",
                "per_second",
                "fairlead",
                "coredns"),
            row(
                "The same against its cache",
                "同上，对方启用缓存",
                PER_SECOND,
                "queries",
                "per_second",
                "fairlead",
                "coredns-cache"),
            row(
                "One query at a time, 99 %",
                "逐个查询，99 %", MICROSECONDS, "one at a time", "p99_us", "fairlead", "coredns"));
    Stream<Comparison> plugins =
        Stream.of("file", "hosts", "template", "rewrite and kubernetes", "cache and forward")
            .map(
                plugin ->
                    row(
                        "Plugins: " + plugin,
                        "插件：" + plugin,
                        PER_SECOND,
                        plugin,
                        "per_second",
                        "fairlead",
                        "coredns"));
    return Stream.concat(cluster, plugins).toList();
  }

  private static List<Comparison> chain() {
    String[] who = {"fairlead", "originals"};
    return List.of(
        row(
            "C1: pod ready → first packet, median",
            "C1：pod 就绪 → 第一个包，中位数",
            MILLISECONDS,
            "ready",
            "p50_ms",
            who),
        row("C1: the same, 99 %", "C1：同上，99 %", MILLISECONDS, "ready", "p99_ms", who),
        row(
            "Pod not ready → last packet, median",
            "pod 未就绪 → 最后一个包，中位数",
            MILLISECONDS,
            "gone",
            "p50_ms",
            who),
        row(
            "C2: requests lost in a roll-out of 10 pods",
            "C2：10 个 pod 滚动更新时丢失的请求",
            COUNT,
            "roll-out",
            "lost",
            who),
        row(
            "C4: command → first answer, empty machine",
            "C4：命令 → 第一个应答，空机器",
            MILLISECONDS,
            "empty-machine",
            "first_answer_ms",
            who),
        row("C4: memory of everything", "C4：全部组件的内存", MEGABYTES, "empty-machine", "rss_mb", who),
        row(
            "C5: pod created → seen ready, median",
            "C5：pod 创建 → 看到就绪，中位数",
            MILLISECONDS,
            "pod-start",
            "p50_ms",
            who),
        row("C5: the same, 99 %", "C5：同上，99 %", MILLISECONDS, "pod-start", "p99_ms", who));
  }

  private static Comparison row(
      String english, String chinese, FigureUnit unit, String what, String figure, String... who) {
    return Comparison.of(english, chinese, unit, what, figure, who);
  }
}
