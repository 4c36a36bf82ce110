package io.fairlead.dns.kubernetes.answer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.kubernetes.data.ClusterData;
import io.fairlead.dns.kubernetes.data.ServiceSnapshot;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.TransferSource;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// The answers that are seldom asked for: about the zones themselves and the server, names above
/// reverse addresses, and everything while the cluster is not known yet. Safe for any thread.
public final class SlowPathAnswers {
  private static final String PLUGIN = "kubernetes";
  private static final Name SERVER = Name.of("ns.dns");
  private static final Name VERSION = Name.of("dns-version");
  private static final String SCHEMA = "1.1.0";
  private static final int VERSION_TTL = 28_800;

  private final ClusterData data;
  private final AnswerOptions options;
  private final NameServers servers;

  public SlowPathAnswers(ClusterData data, AnswerOptions options, NameServers servers) {
    this.data = data;
    this.options = options;
    this.servers = servers;
  }

  /// The answer to what [ReplyComposer] leaves to the slow path, external names apart.
  ///
  /// @param synced whether the whole cluster was known before it looked
  public Reply answer(Question question, QueryView view, OwnZone zone, boolean synced) {
    Name name = question.name();
    Name left = name.without(zone.name());
    int type = question.type();
    if (type == RecordType.AXFR || type == RecordType.IXFR) {
      return Reply.of(PLUGIN, Rcode.REFUSED);
    }
    if (left.isRoot() && type == RecordType.SOA) {
      return positive(List.of(soa(name, zone)));
    }
    if (left.isRoot() && type == RecordType.NS) {
      return nameServers(name, zone);
    }
    if (left.equals(VERSION) && type == RecordType.TXT) {
      return positive(List.of(ResourceRecord.in(name, VERSION_TTL, RecordData.txt(SCHEMA))));
    }
    if (left.equals(SERVER)) {
      return serverAddresses(name, type, zone);
    }
    if (!synced) {
      return unknown(name, zone);
    }
    return zone.reverse() && covers(view) ? noData(name, zone) : missing(name, zone);
  }

  private Reply nameServers(Name name, OwnZone zone) {
    List<ResourceRecord> answer = new ArrayList<>();
    List<ResourceRecord> additional = new ArrayList<>();
    for (Map.Entry<Name, Set<IpAddress>> server : servers.in(zone.name()).entrySet()) {
      answer.add(ResourceRecord.in(name, options.ttl(), RecordData.ns(server.getKey())));
      for (IpAddress address : server.getValue()) {
        additional.add(ResourceRecord.address(server.getKey(), options.ttl(), address));
      }
    }
    return positive(answer).withAdditional(additional);
  }

  private Reply serverAddresses(Name name, int type, OwnZone zone) {
    List<ResourceRecord> answer =
        servers.in(zone.name()).values().stream()
            .flatMap(Set::stream)
            .distinct()
            .map(address -> ResourceRecord.address(name, options.ttl(), address))
            .filter(each -> each.type() == type)
            .toList();
    return answer.isEmpty() ? noData(name, zone) : positive(answer);
  }

  /// Whether some known address begins like that.
  private boolean covers(QueryView view) {
    ReverseNameParser.Prefix prefix = ReverseNameParser.read(view);
    return prefix != null && data.tables().anyAddress(prefix.first(), prefix.last());
  }

  private Reply positive(List<ResourceRecord> answer) {
    return Reply.authoritative(PLUGIN, answer);
  }

  /// The name is there, but not what was asked.
  public Reply noData(Name name, OwnZone zone) {
    return positive(List.of()).withAuthority(List.of(soa(name, zone)));
  }

  /// There is no such name.
  public Reply missing(Name name, OwnZone zone) {
    return noData(name, zone).withRcode(Rcode.NXDOMAIN);
  }

  /// The cluster has not been seen yet, so nothing can be said about the name.
  public Reply unknown(Name name, OwnZone zone) {
    return new Reply(
        Rcode.SERVFAIL,
        Header.AA,
        List.of(),
        List.of(soa(name, zone)),
        List.of(),
        List.of(EdnsOption.error(EdnsOption.ERROR_NOT_READY, "cluster not yet known")),
        "the cluster's objects have not been read yet",
        PLUGIN);
  }

  /// The zone's SOA record. Its owner is the zone as it is spelled in a name.
  public ResourceRecord soa(Name name, OwnZone zone) {
    Name owner = name.tail(zone.name());
    return ResourceRecord.in(
        owner,
        options.soaTtl(),
        new RecordData.Soa(
            owner.child("ns.dns"),
            owner.child("hostmaster"),
            data.serial(),
            7200,
            1800,
            86400,
            options.ttl()));
  }

  /// The whole of a zone.
  public TransferSource.Zone transfer(OwnZone zone) {
    List<ResourceRecord> head = new ArrayList<>();
    Reply servers = nameServers(zone.name(), zone);
    head.addAll(servers.answer());
    head.addAll(servers.additional());
    List<ServiceSnapshot> services = data.snapshot();
    Iterator<ResourceRecord> records =
        Stream.concat(
                head.stream(),
                services.stream()
                    .flatMap(
                        each -> ZoneTransferRecords.of(each, zone.name(), options.ttl()).stream()))
            .iterator();
    return new TransferSource.Zone(soa(zone.name(), zone), records);
  }
}
