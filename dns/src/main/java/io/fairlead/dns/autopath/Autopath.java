package io.fairlead.dns.autopath;

import io.fairlead.dns.corefile.Zones;
import io.fairlead.dns.plugin.Answer;
import io.fairlead.dns.plugin.ChainPlugin;
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
final class Autopath implements ChainPlugin {
  private final Zones zones;
  private final Supplier<SearchPaths> source;
  private final Counter successes;
  private volatile @Nullable SearchPaths paths;

  Autopath(Zones zones, Supplier<SearchPaths> source, InstanceContext instance) {
    this.zones = zones;
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
  public void start() {
    paths = source.get();
  }

  @Override
  public Answer handle(Query query, Handler next) {
    SearchPaths known = paths;
    if (known == null || !zones.contain(query.name())) {
      return next.handle(query);
    }
    List<Name> path = known.searchPath(query);
    if (path.isEmpty() || !query.name().isUnder(path.getFirst())) {
      return next.handle(query);
    }
    Name base = query.name().without(path.getFirst());
    Answer first = next.handle(query);
    if (!isUnknown(first) || base.isRoot()) {
      return first;
    }
    for (Name suffix : path.subList(1, path.size())) {
      Name name = base.append(suffix);
      if (name == null) {
        continue;
      }
      Question question = new Question(name, query.type(), query.question().recordClass());
      Answer answer = next.handle(query.withQuestion(question));
      if (answer instanceof Reply reply && !isUnknown(reply)) {
        successes.labelValues(query.origin().server()).inc();
        return aliased(query.name(), name, reply);
      }
    }
    return first;
  }

  private static boolean isUnknown(Answer answer) {
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
