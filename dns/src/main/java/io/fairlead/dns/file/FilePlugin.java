package io.fairlead.dns.file;

import io.fairlead.dns.corefile.FileWatch;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.ReplyValidity;
import io.fairlead.dns.plugin.TransferSource;
import io.fairlead.dns.transfer.ZoneChangeListener;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.zonefile.ZoneFileException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All `file` lines of a block: the longest zone that holds a name answers.
final class FilePlugin implements ChainPlugin, TransferSource {
  private static final Logger log = LoggerFactory.getLogger(FilePlugin.class);

  private final List<ServedZone> zones;
  private final BlockContext context;
  private final List<FileWatch> watches = new ArrayList<>();

  FilePlugin(List<ServedZone> zones, BlockContext context) {
    this.zones = List.copyOf(zones);
    this.context = context;
  }

  @Override
  public String name() {
    return "file";
  }

  @Override
  public List<? extends Record> options() {
    return zones.stream().map(ServedZone::options).toList();
  }

  @Override
  public void start() {
    for (ServedZone zone : zones) {
      watches.add(
          new FileWatch(
              zone.options().file(),
              zone.options().reload(),
              context.instance().pacer(),
              () -> reload(zone)));
      changed(zone);
    }
  }

  @Override
  public void stop() {
    watches.forEach(FileWatch::close);
  }

  private void reload(ServedZone zone) {
    try {
      if (zone.load()) {
        log.atInfo()
            .addKeyValue("zone", zone.origin())
            .addKeyValue("serial", zone.zone().serial())
            .log("zone reloaded");
        changed(zone);
      }
    } catch (IOException | ZoneFileException e) {
      log.atError()
          .addKeyValue("zone", zone.origin())
          .addKeyValue("file", zone.options().file())
          .setCause(e)
          .log("keeping the old zone");
    }
  }

  private void changed(ServedZone zone) {
    for (Plugin plugin : context.plugins()) {
      if (plugin instanceof ZoneChangeListener listener) {
        listener.changed(zone.zone().soa());
      }
    }
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
    ServedZone served = match(query.name());
    if (served == null) {
      return next.handle(query);
    }
    if (query.type() == RecordType.AXFR || query.type() == RecordType.IXFR) {
      return Reply.of("file", Rcode.REFUSED);
    }
    ServedZone.LoadedZone loaded = served.loaded();
    Object version = loaded.version();
    ReplyValidity unchanged = _ -> served.serves(version);
    ZoneLookup lookup = new ZoneLookup(loaded.zone(), query, context.instance().resolver());
    Reply reply = lookup.run();
    if (lookup.leftTheZone() && !query.mayBlock()) {
      return new DnsAnswer.WouldBlock();
    }
    boolean unknown = reply.rcode() == Rcode.NXDOMAIN && reply.answer().isEmpty();
    if (unknown && served.options().fallthrough().through(query.name())) {
      return Reply.limited(next.handle(query), unchanged);
    }
    return lookup.leftTheZone() ? reply : reply.withValidity(unchanged);
  }

  private @Nullable ServedZone match(Name name) {
    ServedZone longest = null;
    for (ServedZone each : zones) {
      boolean holds = name.isUnder(each.origin());
      if (holds && (longest == null || each.origin().length() > longest.origin().length())) {
        longest = each;
      }
    }
    return longest;
  }

  @Override
  public Optional<TransferSource.Zone> transfer(Name name, OptionalLong serial) {
    return zones.stream()
        .filter(each -> each.origin().equals(name))
        .map(ServedZone::zone)
        .findFirst()
        .map(zone -> new TransferSource.Zone(zone.soa(), zone.others().iterator()));
  }
}
