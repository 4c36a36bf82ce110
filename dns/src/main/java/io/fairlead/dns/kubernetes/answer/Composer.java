package io.fairlead.dns.kubernetes.answer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.kubernetes.data.ClusterData;
import io.fairlead.dns.kubernetes.data.Compiled;
import io.fairlead.dns.kubernetes.data.Endpoints;
import io.fairlead.dns.kubernetes.data.PortFacts;
import io.fairlead.dns.kubernetes.data.ServiceCell;
import io.fairlead.dns.kubernetes.data.ServiceFacts;
import io.fairlead.dns.kubernetes.data.Tables;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Answers questions by looking into the tables and copying. Owned by one thread.
///
/// How it works: the labels left of the zone are read from the right, as the grammar of spec/dns.md
/// 1.1 goes. Every way through it ends in one of four sentences: there is no such name, the name is
/// there but has no such record, here are the records, or this takes more than a look.
public final class Composer {
  private static final byte[] SVC = ascii("svc");
  private static final byte[] POD = ascii("pod");
  private static final byte[] DNS = ascii("dns");
  private static final byte[] NS = ascii("ns");
  private static final byte[] VERSION = ascii("dns-version");

  private final ClusterData data;
  private final Tables tables;
  private final AnswerOptions options;
  private final ReplyBytes reply;
  private final ServiceRecords services;
  private final ReverseRecords reverse;
  private final ZonalRecords zonal;
  private final Selection selection = new Selection();
  private final int flags;
  private QueryView view;
  private OwnZone zone;
  private int left;
  private int length;
  private int udpLimit;
  private boolean synced;

  public Composer(ClusterData data, AnswerOptions options, RandomGenerator random) {
    this.data = data;
    this.tables = data.tables();
    this.options = options;
    this.reply = new ReplyBytes(random);
    this.services = new ServiceRecords(reply, options);
    this.reverse = new ReverseRecords(reply, tables, options);
    this.zonal = new ZonalRecords(reply, options);
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
  /// @param size what to tell the client that we can take over UDP
  public Outcome answer(QueryView query, byte[] out, int limit, int size) {
    OwnZone found = zoneOf(query);
    if (found == null) {
      return Outcome.NOT_OURS;
    }
    int type = query.type();
    if (type == RecordType.AXFR || type == RecordType.IXFR || type == RecordType.DS) {
      return Outcome.RARE;
    }
    view = query;
    zone = found;
    // Before any look: what comes in later was not looked at.
    synced = data.synced();
    left = query.labelCount() - found.labels();
    udpLimit = size;
    reply.begin(query, out, limit);
    if (left == 0) {
      return type == RecordType.SOA || type == RecordType.NS ? Outcome.RARE : noData();
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

  private Outcome forward() {
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
      return view.type() == RecordType.TXT ? Outcome.RARE : noData();
    }
    if (view.labelIs(last, DNS)) {
      return infrastructure();
    }
    return notFound();
  }

  private Outcome infrastructure() {
    if (left == 1) {
      return noData();
    }
    if (left > 2 || !view.labelIs(0, NS)) {
      return notFound();
    }
    boolean address = view.type() == RecordType.A || view.type() == RecordType.AAAA;
    return address ? Outcome.RARE : noData();
  }

  private Outcome namespace() {
    return tables.namespace(view.bytes(), view.labelAt(0)) ? noData() : notFound();
  }

  private Outcome service() {
    int from = view.labelAt(left - 3);
    ServiceCell cell = tables.service(view.bytes(), from, view.labelAt(left - 1) - from);
    Compiled service = cell == null ? null : cell.visible();
    if (service == null || service.hidden()) {
      return notFound();
    }
    if (service.kind() == ServiceFacts.Kind.EXTERNAL_NAME) {
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

  private Outcome external(Compiled service) {
    Name target = service.externalName();
    if (left > 3 || target == null) {
      return notFound();
    }
    if (view.type() != RecordType.CNAME) {
      return Outcome.RARE;
    }
    reply.cname(options.ttl(), target);
    return finish(Rcode.NOERROR);
  }

  private Outcome endpoint(Compiled service) {
    Endpoints endpoints = service.endpoints();
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
  private boolean isProtocol(Compiled service, int at) {
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

  private Outcome port(Compiled service) {
    selection.port(view.bytes(), view.labelAt(0), view.labelAt(1));
    if (selection.exists(service)) {
      return records(service);
    }
    return options.zonal() ? zonal(service) : notFound();
  }

  private Outcome zonal(Compiled service) {
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

  private Outcome records(Compiled service) {
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

  private Outcome pods() {
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

  private Outcome reverse() {
    return switch (reverse.write(view)) {
      case FOUND -> reply.answers() > 0 ? finish(Rcode.NOERROR) : noData();
      case MISSING -> notFound();
      case EMPTY -> Outcome.RARE;
    };
  }

  private Outcome noData() {
    soa();
    return finish(Rcode.NOERROR);
  }

  private Outcome notFound() {
    if (!synced) {
      // What is not known may be there all the same.
      return Outcome.RARE;
    }
    soa();
    finish(Rcode.NXDOMAIN);
    return zone.fallthrough() ? Outcome.NOT_FOUND : Outcome.ANSWERED;
  }

  private void soa() {
    reply.soa(
        view.nameEnd() - zone.name().length(), options.soaTtl(), data.serial(), options.ttl());
  }

  private Outcome finish(int rcode) {
    length = reply.finish(view, flags, rcode, udpLimit);
    return Outcome.ANSWERED;
  }
}
