package io.fairlead.dns.acl;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.corefile.DnsZones;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.List;

/// Lets queries through or not.
final class AclPlugin implements ChainPlugin {
  /// An extended error, "filtered" (RFC 8914).
  private static final int ERROR_FILTERED = 17;

  record Policy(DnsZones zones, List<AclRule> rules) {
    Policy {
      rules = List.copyOf(rules);
    }
  }

  private final List<Policy> policies;
  private final Counter blocked;
  private final Counter filtered;
  private final Counter dropped;
  private final Counter allowed;

  AclPlugin(List<Policy> policies, InstanceContext instance) {
    this.policies = List.copyOf(policies);
    this.blocked =
        instance
            .metrics()
            .counter(
                "coredns_acl_blocked_requests_total",
                "Counter of DNS requests being blocked.",
                "server",
                "zone",
                "view");
    this.filtered =
        instance
            .metrics()
            .counter(
                "coredns_acl_filtered_requests_total",
                "Counter of DNS requests being filtered.",
                "server",
                "zone",
                "view");
    this.dropped =
        instance
            .metrics()
            .counter(
                "coredns_acl_dropped_requests_total",
                "Counter of DNS requests being dropped.",
                "server",
                "zone",
                "view");
    this.allowed =
        instance
            .metrics()
            .counter(
                "coredns_acl_allowed_requests_total",
                "Counter of DNS requests being allowed.",
                "server",
                "view");
  }

  @Override
  public String name() {
    return "acl";
  }

  @Override
  public List<? extends Record> options() {
    return policies;
  }

  @Override
  public boolean passesOwnData(Name zone) {
    return policies.stream().noneMatch(each -> each.zones().overlap(zone));
  }

  @Override
  public boolean mayBlock() {
    return false;
  }

  @Override
  public DnsAnswer handle(Query query, Handler next) {
    IpAddress source = IpAddress.ofBytes(query.origin().remote().getAddress().getAddress());
    String server = query.origin().server();
    for (Policy policy : policies) {
      Name zone = policy.zones().match(query.name());
      if (zone == null) {
        continue;
      }
      switch (action(policy, query, source)) {
        case ALLOW -> {}
        case BLOCK -> {
          blocked.labelValues(server, zone.toString(), "").inc();
          return Reply.of("acl", Rcode.REFUSED)
              .withOptions(List.of(EdnsOption.error(EdnsOption.ERROR_PROHIBITED, "")));
        }
        case FILTER -> {
          filtered.labelValues(server, zone.toString(), "").inc();
          return Reply.of("acl", Rcode.NOERROR)
              .withOptions(List.of(EdnsOption.error(ERROR_FILTERED, "")));
        }
        case DROP -> {
          dropped.labelValues(server, zone.toString(), "").inc();
          return new DnsAnswer.NoReply();
        }
      }
    }
    DnsAnswer answer = next.handle(query);
    if (!(answer instanceof DnsAnswer.WouldBlock)) {
      allowed.labelValues(server, "").inc();
    }
    return answer;
  }

  private static AclRule.Action action(Policy policy, Query query, IpAddress source) {
    for (AclRule rule : policy.rules()) {
      if (rule.fits(query.type(), source)) {
        return rule.action();
      }
    }
    return AclRule.Action.ALLOW;
  }
}
