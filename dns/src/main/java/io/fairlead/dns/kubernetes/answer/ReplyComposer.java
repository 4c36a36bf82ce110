package io.fairlead.dns.kubernetes.answer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.kubernetes.data.ClusterData;
import io.fairlead.dns.kubernetes.data.ClusterTables;
import io.fairlead.dns.kubernetes.data.CompiledService;
import io.fairlead.dns.kubernetes.data.DnsServiceFacts;
import io.fairlead.dns.kubernetes.data.PackedEndpoints;
import io.fairlead.dns.kubernetes.data.PortFacts;
import io.fairlead.dns.kubernetes.data.ServiceCell;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The fast path: answers questions by a lookup in the tables and a copy. Owned by one thread.
///
/// How it works: the labels left of the zone are read from the right, as the grammar of spec/dns.md
/// 1.1 goes. Every way through it ends in one of four results: the name does not exist, it exists
/// but has no such record, the records are written, or the slow path has to answer.
public final class ReplyComposer {
  private static final byte[] SVC = ascii("svc");
  private static final byte[] POD = ascii("pod");
  private static final byte[] DNS = ascii("dns");
  private static final byte[] NS = ascii("ns");
  private static final byte[] VERSION = ascii("dns-version");

  private final ClusterData data;
  private final ClusterTables tables;
  private final AnswerOptions options;
  private final ReplyBytes reply;
  private final ServiceRecords services;
  private final ReverseRecords reverse;
  private final TopologyZoneRecords zonal;
  private final EndpointSelection selection = new EndpointSelection();
  private final int flags;
  private QueryView view;
  private OwnZone zone;
  private int left;
  private int length;
  private int udpLimit;
  private boolean synced;

  public ReplyComposer(ClusterData data, AnswerOptions options, RandomGenerator random) {
    this.data = data;
    this.tables = data.tables();
    this.options = options;
    this.reply = new ReplyBytes(random);
    this.services = new ServiceRecords(reply, options);
    this.reverse = new ReverseRecords(reply, tables, options);
    this.zonal = new TopologyZoneRecords(reply, options);
    this.flags = Header.AA | (options.recursive() ? Header.RA : 0);
    this.view = new QueryView();
    this.zone = options.zones().getFirst();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /// Answers a question of class IN into a buffer of at least 600 bytes.
  ///
  /// @param limit the most bytes the client can take
  /// @param size the size to announce to the client that we take over UDP
  public ReplyOutcome answer(QueryView query, byte[] out, int limit, int size) {
    OwnZone found = zoneOf(query);
    if (found == null) {
      return ReplyOutcome.NOT_OURS;
    }
    int type = query.type();
    if (type == RecordType.AXFR || type == RecordType.IXFR || type == RecordType.DS) {
      return ReplyOutcome.SLOW_PATH;
    }
    view = query;
    zone = found;
    // Read before any lookup: what arrives later was not part of it.
    synced = data.synced();
    left = query.labelCount() - found.labels();
    udpLimit = size;
    reply.begin(query, out, limit);
    if (left == 0) {
      return type == RecordType.SOA || type == RecordType.NS ? ReplyOutcome.SLOW_PATH : noData();
    }
    return found.reverse() ? reverse() : forward();
  }

  /// The length of the reply last written.
  public int length() {
    return length;
  }

  /// The zone a name lies in, the longest of those that match.
  public @Nullable OwnZone zoneOf(QueryView query) {
    List<OwnZone> zones = options.zones();
    for (int i = 0; i < zones.size(); i++) {
      OwnZone each = zones.get(i);
      if (query.isUnder(each.name())) {
        return each;
      }
    }
    return null;
  }

  private ReplyOutcome forward() {
    int last = left - 1;
    if (view.labelIs(last, SVC)) {
      return switch (left) {
        case 1 -> noData();
        case 2 -> namespace();
        default -> service();
      };
    }
    if (view.labelIs(last, POD)) {
      return pods();
    }
    if (view.labelIs(last, VERSION) && left == 1) {
      return view.type() == RecordType.TXT ? ReplyOutcome.SLOW_PATH : noData();
    }
    if (view.labelIs(last, DNS)) {
      return infrastructure();
    }
    return notFound();
  }

  private ReplyOutcome infrastructure() {
    if (left == 1) {
      return noData();
    }
    if (left > 2 || !view.labelIs(0, NS)) {
      return notFound();
    }
    boolean address = view.type() == RecordType.A || view.type() == RecordType.AAAA;
    return address ? ReplyOutcome.SLOW_PATH : noData();
  }

  private ReplyOutcome namespace() {
    return tables.namespace(view.bytes(), view.labelAt(0)) ? noData() : notFound();
  }

  private ReplyOutcome service() {
    int from = view.labelAt(left - 3);
    ServiceCell cell = tables.service(view.bytes(), from, view.labelAt(left - 1) - from);
    CompiledService service = cell == null ? null : cell.visible();
    if (service == null || service.hidden()) {
      return notFound();
    }
    if (service.kind() == DnsServiceFacts.Kind.EXTERNAL_NAME) {
      return external(service);
    }
    return switch (left) {
      case 3 -> {
        selection.all();
        yield records(service);
      }
      case 4 -> endpoint(service);
      case 5 -> port(service);
      default -> zonal(service);
    };
  }

  private ReplyOutcome external(CompiledService service) {
    Name target = service.externalName();
    if (left > 3 || target == null) {
      return notFound();
    }
    if (view.type() != RecordType.CNAME) {
      return ReplyOutcome.SLOW_PATH;
    }
    reply.cname(options.ttl(), target);
    return finish(Rcode.NOERROR);
  }

  private ReplyOutcome endpoint(CompiledService service) {
    PackedEndpoints endpoints = service.endpoints();
    int head = endpoints.find(view.bytes(), view.labelAt(0));
    if (head >= 0) {
      selection.endpoint(head);
      return records(service);
    }
    if (isProtocol(service, view.labelAt(0))) {
      return noData();
    }
    return options.zonal() ? zonal(service) : notFound();
  }

  /// Whether the label is `_tcp` and names such as `_http._tcp` lie below it.
  private boolean isProtocol(CompiledService service, int at) {
    if (!service.isHeadless()) {
      return hasProtocol(service.ports(), at);
    }
    List<List<PortFacts>> sets = service.endpoints().portSets();
    for (int i = 0; i < sets.size(); i++) {
      if (hasProtocol(sets.get(i), at)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasProtocol(List<PortFacts> ports, int at) {
    for (int i = 0; i < ports.size(); i++) {
      if (ports.get(i).isBelow(view.bytes(), at)) {
        return true;
      }
    }
    return false;
  }

  private ReplyOutcome port(CompiledService service) {
    selection.port(view.bytes(), view.labelAt(0), view.labelAt(1));
    if (selection.exists(service)) {
      return records(service);
    }
    return options.zonal() ? zonal(service) : notFound();
  }

  private ReplyOutcome zonal(CompiledService service) {
    if (!options.zonal() || !service.isHeadless()) {
      return notFound();
    }
    return switch (zonal.find(view, left, service)) {
      case MISSING -> notFound();
      case EMPTY -> noData();
      case FOUND -> {
        zonal.write(view.type(), service, tail());
        yield reply.answers() > 0 || reply.truncated() ? finish(Rcode.NOERROR) : noData();
      }
    };
  }

  private ReplyOutcome records(CompiledService service) {
    switch (view.type()) {
      case RecordType.A -> services.addresses(service, selection, true);
      case RecordType.AAAA -> services.addresses(service, selection, false);
      case RecordType.SRV -> services.srv(service, selection, tail());
      default -> {
        return noData();
      }
    }
    return reply.answers() > 0 || reply.truncated() ? finish(Rcode.NOERROR) : noData();
  }

  /// The zone as it is spelled in the question.
  private ReplyBytes.Tail tail() {
    int size = zone.name().length();
    return new ReplyBytes.Tail(view.bytes(), view.nameEnd() - size, size);
  }

  private ReplyOutcome pods() {
    if (left == 1) {
      return noData();
    }
    if (options.pods() == AnswerOptions.PodMode.DISABLED
        || left > 3
        || !tables.namespace(view.bytes(), view.labelAt(left - 2))) {
      return notFound();
    }
    if (left == 2) {
      return noData();
    }
    IpAddress address = PodNames.address(view.bytes(), view.labelAt(0));
    if (address == null || !mayBePod(address)) {
      return notFound();
    }
    boolean asked = view.type() == (address.isIpv4() ? RecordType.A : RecordType.AAAA);
    if (!asked) {
      return noData();
    }
    byte[] bytes = address.toBytes();
    reply.address(
        address.isIpv4(),
        options.ttl(),
        (target, at) -> System.arraycopy(bytes, 0, target, at, bytes.length));
    return finish(Rcode.NOERROR);
  }

  private boolean mayBePod(IpAddress address) {
    return options.pods() == AnswerOptions.PodMode.INSECURE
        || tables.pods(address).stream()
            .anyMatch(pod -> PodNames.same(view.bytes(), view.labelAt(1), pod.namespace()));
  }

  private ReplyOutcome reverse() {
    return switch (reverse.write(view)) {
      case FOUND -> reply.answers() > 0 ? finish(Rcode.NOERROR) : noData();
      case MISSING -> notFound();
      case EMPTY -> ReplyOutcome.SLOW_PATH;
    };
  }

  private ReplyOutcome noData() {
    soa();
    return finish(Rcode.NOERROR);
  }

  private ReplyOutcome notFound() {
    if (!synced) {
      // What is not known may be there all the same.
      return ReplyOutcome.SLOW_PATH;
    }
    soa();
    finish(Rcode.NXDOMAIN);
    return zone.fallthrough() ? ReplyOutcome.NOT_FOUND : ReplyOutcome.ANSWERED;
  }

  private void soa() {
    reply.soa(
        view.nameEnd() - zone.name().length(), options.soaTtl(), data.serial(), options.ttl());
  }

  private ReplyOutcome finish(int rcode) {
    length = reply.finish(view, flags, rcode, udpLimit);
    return ReplyOutcome.ANSWERED;
  }
}
