package io.fairlead.dns.builtin;

import io.fairlead.dns.corefile.DnsZones;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SearchPaths;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.ResourceRecord;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Tries the suffixes of the search path in turn.
final class AutopathPlugin implements ChainPlugin {
  /// @param from a file like `/etc/resolv.conf`, or `@` and the plugin that knows the paths
  record Options(DnsZones zones, String from) {}

  private final Options options;
  private final DnsZones zones;
  private final Supplier<SearchPaths> source;
  private final Counter successes;
  private volatile @Nullable SearchPaths paths;

  AutopathPlugin(Options options, Supplier<SearchPaths> source, InstanceContext instance) {
    this.options = options;
    this.zones = options.zones();
    this.source = source;
    this.successes =
        instance
            .metrics()
            .counter(
                "coredns_autopath_success_total",
                "Counter of requests that did autopath.",
                "server");
  }

  @Override
  public String name() {
    return "autopath";
  }

  @Override
  public List<? extends Record> options() {
    return List.of(options);
  }

  @Override
  public void start() {
    paths = source.get();
  }

  @Override
  public boolean mayBlock() {
    return false;
  }

  @Override
  public DnsAnswer handle(Query query, Handler next) {
    SearchPaths known = paths;
    if (known == null || !zones.contain(query.name())) {
      return next.handle(query);
    }
    List<Name> path = known.searchPath(query);
    if (path.isEmpty() || !query.name().isUnder(path.getFirst())) {
      return next.handle(query);
    }
    Name base = query.name().without(path.getFirst());
    DnsAnswer first = next.handle(query);
    if (!isUnknown(first) || base.isRoot()) {
      return first;
    }
    for (Name suffix : path.subList(1, path.size())) {
      Name name = base.append(suffix);
      if (name == null) {
        continue;
      }
      Question question = new Question(name, query.type(), query.question().recordClass());
      DnsAnswer answer = next.handle(query.withQuestion(question));
      if (answer instanceof DnsAnswer.WouldBlock) {
        return answer;
      }
      if (answer instanceof Reply reply && !isUnknown(reply)) {
        successes.labelValues(query.origin().server()).inc();
        return aliased(query.name(), name, reply);
      }
    }
    return first;
  }

  private static boolean isUnknown(DnsAnswer answer) {
    return answer instanceof Reply reply && reply.rcode() == Rcode.NXDOMAIN;
  }

  private static Reply aliased(Name asked, Name found, Reply reply) {
    if (reply.answer().isEmpty()) {
      return reply;
    }
    List<ResourceRecord> answer = new ArrayList<>();
    int ttl = reply.answer().getFirst().ttl();
    answer.add(ResourceRecord.in(asked, ttl, RecordData.cname(found)));
    answer.addAll(reply.answer());
    return reply.withAnswer(answer);
  }
}
