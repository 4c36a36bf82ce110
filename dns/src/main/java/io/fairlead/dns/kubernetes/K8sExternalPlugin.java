package io.fairlead.dns.kubernetes;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.dns.corefile.DnsZones;
import io.fairlead.dns.corefile.Fallthrough;
import io.fairlead.dns.kubernetes.data.CompiledService;
import io.fairlead.dns.kubernetes.data.PortFacts;
import io.fairlead.dns.kubernetes.data.ServiceCell;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Answers `web.shop.ZONE` and `_http._tcp.web.shop.ZONE` from the data of the `kubernetes` plugin
/// of the same block. Safe for any thread.
final class K8sExternalPlugin implements ChainPlugin {
  private static final String NAME = "k8s_external";

  /// @param apex the label of the server's own name below each zone
  record Options(DnsZones zones, String apex, int ttl, Fallthrough fallthrough) {}

  private final Options options;
  private final BlockContext context;

  K8sExternalPlugin(Options options, BlockContext context) {
    this.options = options;
    this.context = context;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<? extends Record> options() {
    return List.of(options);
  }

  @Override
  public void start() {
    if (!(context.plugin("kubernetes").orElse(null) instanceof KubernetesPlugin)) {
      throw new IllegalStateException("k8s_external needs kubernetes in the same server block");
    }
  }

  /// Cluster names outside these zones pass untouched.
  @Override
  public boolean passesOwnData(Name zone) {
    return options.zones().names().stream()
        .noneMatch(each -> each.isUnder(zone) || zone.isUnder(each));
  }

  private KubernetesPlugin cluster() {
    return (KubernetesPlugin) context.plugin("kubernetes").orElseThrow();
  }

  @Override
  public boolean mayBlock() {
    return false;
  }

  @Override
  public DnsAnswer handle(Query query, Handler next) {
    Name zone = options.zones().match(query.name());
    if (zone == null) {
      return next.handle(query);
    }
    List<String> labels = query.name().without(zone).labels();
    if (query.name().equals(zone)) {
      return top(query, zone);
    }
    String last = labels.getLast().toLowerCase(Locale.ROOT);
    if (last.equals(options.apex().toLowerCase(Locale.ROOT))) {
      boolean known =
          labels.size() == 1 || (labels.size() == 2 && labels.getFirst().matches("(?i)ns1?"));
      return known ? denied(query, zone, Rcode.NOERROR) : denied(query, zone, Rcode.NXDOMAIN);
    }
    Reply reply = service(query, zone, labels);
    return reply.rcode() == Rcode.NXDOMAIN && options.fallthrough().through(query.name())
        ? next.handle(query)
        : reply;
  }

  private Reply top(Query query, Name zone) {
    return switch (query.type()) {
      case RecordType.SOA -> Reply.authoritative(NAME, List.of(soa(query.name(), zone)));
      case RecordType.NS ->
          Reply.authoritative(
              NAME,
              List.of(
                  ResourceRecord.in(
                      query.name(),
                      options.ttl(),
                      RecordData.ns(zone.child("ns1." + options.apex())))));
      default -> denied(query, zone, Rcode.NOERROR);
    };
  }

  private Reply service(Query query, Name zone, List<String> labels) {
    if (labels.size() == 1) {
      // A namespace: there, if anything is.
      return denied(query, zone, Rcode.NOERROR);
    }
    CompiledService service = find(labels);
    boolean ports = labels.size() == 4;
    if (service == null
        || service.externalAddresses().isEmpty()
        || (labels.size() != 2 && !ports)) {
      return denied(query, zone, Rcode.NXDOMAIN);
    }
    List<PortFacts> selected =
        service.ports().stream().filter(port -> !ports || matches(port, labels)).toList();
    if (ports && selected.isEmpty()) {
      return denied(query, zone, Rcode.NXDOMAIN);
    }
    return records(query, zone, service, selected, labels);
  }

  private @Nullable CompiledService find(List<String> labels) {
    int size = labels.size();
    ObjectKey key =
        new ObjectKey(
            labels.get(size - 1).toLowerCase(Locale.ROOT),
            labels.get(size - 2).toLowerCase(Locale.ROOT));
    ServiceCell cell = cluster().data().tables().service(key);
    return cell == null ? null : cell.visible();
  }

  private static boolean matches(PortFacts port, List<String> labels) {
    return labels.get(0).equalsIgnoreCase("_" + port.name())
        && labels.get(1).equalsIgnoreCase("_" + port.protocol());
  }

  private Reply records(
      Query query, Name zone, CompiledService service, List<PortFacts> ports, List<String> labels) {
    List<IpAddress> addresses = service.externalAddresses();
    if (query.type() == RecordType.SRV) {
      Name target = query.name().skip(labels.size() - 2);
      int weight = Math.max(1, 100 / Math.max(1, ports.size() * addresses.size()));
      List<ResourceRecord> answer = new ArrayList<>();
      for (PortFacts port : ports) {
        answer.add(
            ResourceRecord.in(
                query.name(),
                cluster().answerOptions().ttl(),
                new RecordData.Srv(0, weight, port.port(), target)));
      }
      return Reply.authoritative(NAME, answer.stream().distinct().toList())
          .withAdditional(
              addresses.stream()
                  .map(address -> ResourceRecord.address(target, options.ttl(), address))
                  .toList());
    }
    List<ResourceRecord> answer =
        addresses.stream()
            .map(address -> ResourceRecord.address(query.name(), options.ttl(), address))
            .filter(each -> each.type() == query.type())
            .toList();
    return answer.isEmpty()
        ? denied(query, zone, Rcode.NOERROR)
        : Reply.authoritative(NAME, answer);
  }

  private Reply denied(Query query, Name zone, int rcode) {
    return Reply.authoritative(NAME, List.of())
        .withRcode(rcode)
        .withAuthority(List.of(soa(query.name(), zone)));
  }

  private ResourceRecord soa(Name name, Name zone) {
    Name owner = name.tail(zone);
    return ResourceRecord.in(
        owner,
        options.ttl(),
        new RecordData.Soa(
            owner.child("ns1." + options.apex()),
            owner.child("hostmaster." + options.apex()),
            cluster().data().serial(),
            7200,
            1800,
            86_400,
            options.ttl()));
  }
}
