package io.fairlead.dns.hosts;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.corefile.DnsZones;
import io.fairlead.dns.corefile.Fallthrough;
import io.fairlead.dns.corefile.FileWatch;
import io.fairlead.dns.corefile.ReverseName;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.ReplyValidity;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import io.prometheus.metrics.core.metrics.Gauge;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks names up in the lines of the block, then in the file.
final class HostsPlugin implements ChainPlugin {
  private static final Logger log = LoggerFactory.getLogger(HostsPlugin.class);
  private static final DnsZones REVERSE =
      new DnsZones(List.of(Name.of("in-addr.arpa"), Name.of("ip6.arpa")));

  record Options(
      Path file,
      DnsZones zones,
      String inline,
      int ttl,
      boolean reverse,
      Duration reload,
      Fallthrough fallthrough) {}

  private final Options options;
  private final InstanceContext instance;
  private final HostTable inline;
  private final Gauge entries;
  private final Gauge loaded;
  private volatile HostTable table = HostTable.EMPTY;
  private @Nullable FileWatch watch;

  HostsPlugin(Options options, InstanceContext instance) {
    this.options = options;
    this.instance = instance;
    this.inline = HostTable.read(options.inline(), options.zones());
    this.entries =
        instance
            .metrics()
            .gauge(
                "coredns_hosts_entries", "The combined number of entries in hosts and Corefile.");
    this.loaded =
        instance
            .metrics()
            .gauge(
                "coredns_hosts_reload_timestamp_seconds",
                "The timestamp of the last reload of hosts file.");
    load();
  }

  @Override
  public String name() {
    return "hosts";
  }

  @Override
  public List<? extends Record> options() {
    return List.of(options);
  }

  @Override
  public void start() {
    watch = new FileWatch(options.file(), options.reload(), instance.pacer(), this::load);
  }

  @Override
  public void stop() {
    if (watch != null) {
      watch.close();
    }
  }

  private void load() {
    try {
      String text = new String(Files.readAllBytes(options.file()), StandardCharsets.UTF_8);
      table = HostTable.read(text, options.zones());
      loaded.set(instance.clock().instant().getEpochSecond());
    } catch (IOException e) {
      // Common with lines in the block only; the last good table stays.
      log.atDebug().addKeyValue("file", options.file()).setCause(e).log("no hosts file");
    }
    entries.set(inline.size() + table.size());
  }

  @Override
  public boolean treatsClientsAlike() {
    return true;
  }

  @Override
  public boolean mayBlock() {
    return false;
  }

  @Override
  public DnsAnswer handle(Query query, Handler next) {
    Name name = query.name();
    boolean reverse = REVERSE.contain(name);
    if (!options.zones().contain(name) && !(reverse && options.reverse())) {
      return next.handle(query);
    }
    HostTable read = table;
    Object version = read.version();
    ReplyValidity unchanged = _ -> isCurrent(version);
    if (query.type() == RecordType.PTR && reverse) {
      return reverse(query, next, read, unchanged);
    }
    Set<IpAddress> own = inline.addresses(name);
    Set<IpAddress> known = own.isEmpty() ? read.addresses(name) : own;
    if (known.isEmpty()) {
      return unknown(query, next, unchanged);
    }
    List<ResourceRecord> found = new ArrayList<>();
    for (IpAddress address : known) {
      ResourceRecord record = ResourceRecord.address(name, options.ttl(), address);
      if (record.type() == query.type()) {
        found.add(record);
      }
    }
    return Reply.authoritative("hosts", found).withValidity(unchanged);
  }

  @SuppressWarnings("ReferenceEquality") // each reading makes a version of its own
  private boolean isCurrent(Object version) {
    return table.version() == version;
  }

  private DnsAnswer reverse(Query query, Handler next, HostTable read, ReplyValidity unchanged) {
    IpAddress address = options.reverse() ? ReverseName.address(query.name()) : null;
    List<Name> names = List.of();
    if (address != null) {
      names = inline.names(address).isEmpty() ? read.names(address) : inline.names(address);
    }
    if (names.isEmpty()) {
      // A plugin behind may know the address, whatever fallthrough says about names.
      return Reply.limited(next.handle(query), unchanged);
    }
    return Reply.authoritative(
            "hosts",
            names.stream()
                .map(each -> ResourceRecord.in(query.name(), options.ttl(), RecordData.ptr(each)))
                .toList())
        .withValidity(unchanged);
  }

  private DnsAnswer unknown(Query query, Handler next, ReplyValidity unchanged) {
    return options.fallthrough().through(query.name())
        ? Reply.limited(next.handle(query), unchanged)
        : Reply.of("hosts", Rcode.NXDOMAIN).withFlags(Header.AA).withValidity(unchanged);
  }
}
