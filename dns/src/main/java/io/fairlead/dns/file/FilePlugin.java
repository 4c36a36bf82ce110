package io.fairlead.dns.file;

import io.fairlead.dns.corefile.FileWatch;
import io.fairlead.dns.plugin.Answer;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.TransferSource;
import io.fairlead.dns.transfer.ZoneChanges;
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
  public void start() {
    for (ServedZone zone : zones) {
      watches.add(
          new FileWatch(
              zone.file(), zone.reload(), context.instance().pacer(), () -> reload(zone)));
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
          .addKeyValue("file", zone.file())
          .setCause(e)
          .log("keeping the old zone");
    }
  }

  private void changed(ServedZone zone) {
    for (Plugin plugin : context.plugins()) {
      if (plugin instanceof ZoneChanges listener) {
        listener.changed(zone.zone().soa());
      }
    }
  }

  @Override
  public Answer handle(Query query, Handler next) {
    ServedZone served = match(query.name());
    if (served == null) {
      return next.handle(query);
    }
    if (query.type() == RecordType.AXFR || query.type() == RecordType.IXFR) {
      return Reply.of("file", Rcode.REFUSED);
    }
    Reply reply = new Lookup(served.zone(), query, context.instance().resolver()).run();
    boolean unknown = reply.rcode() == Rcode.NXDOMAIN && reply.answer().isEmpty();
    return unknown && served.fallthrough().through(query.name()) ? next.handle(query) : reply;
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
