package io.fairlead.dns.transfer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.TransferSource;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import io.fairlead.work.Tasks;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers AXFR and IXFR from the plugins of its block that hold zones.
final class TransferPlugin implements ChainPlugin, ZoneChangeListener {
  private static final Logger log = LoggerFactory.getLogger(TransferPlugin.class);
  private static final int PIECE = 500;

  private final List<TransferPermission> permissions;
  private final BlockContext context;
  private final Notifier notifier;

  TransferPlugin(List<TransferPermission> permissions, BlockContext context, Notifier notifier) {
    this.permissions = List.copyOf(permissions);
    this.context = context;
    this.notifier = notifier;
  }

  @Override
  public String name() {
    return "transfer";
  }

  @Override
  public List<? extends Record> options() {
    return permissions;
  }

  @Override
  public boolean passesOwnData(Name zone) {
    return true;
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
    boolean incremental = query.type() == RecordType.IXFR;
    if (!incremental && query.type() != RecordType.AXFR) {
      return next.handle(query);
    }
    TransferPermission permission = permission(query.name());
    if (permission == null) {
      return next.handle(query);
    }
    if (!query.mayBlock()) {
      // A whole zone is looked through.
      return new DnsAnswer.WouldBlock();
    }
    IpAddress client = IpAddress.ofBytes(query.origin().remote().getAddress().getAddress());
    boolean datagram = query.origin().transport() == QueryTransport.UDP;
    if (!permission.allows(client) || (datagram && !incremental)) {
      return Reply.of("transfer", Rcode.REFUSED);
    }
    OptionalLong serial = incremental ? serial(query) : OptionalLong.empty();
    Optional<TransferSource.Zone> zone = zone(query.name(), serial);
    if (zone.isEmpty()) {
      return Reply.of("transfer", Rcode.REFUSED);
    }
    return send(query, zone.get(), serial, datagram);
  }

  private @Nullable TransferPermission permission(Name name) {
    TransferPermission best = null;
    int longest = -1;
    for (TransferPermission each : permissions) {
      Name zone = each.zones().match(name);
      if (zone != null && zone.length() > longest) {
        longest = zone.length();
        best = each;
      }
    }
    return best;
  }

  private Optional<TransferSource.Zone> zone(Name name, OptionalLong serial) {
    for (Plugin plugin : context.plugins()) {
      if (plugin instanceof TransferSource source) {
        Optional<TransferSource.Zone> zone = source.transfer(name, serial);
        if (zone.isPresent()) {
          return zone;
        }
      }
    }
    return Optional.empty();
  }

  private static OptionalLong serial(Query query) {
    for (ResourceRecord each : query.request().authority()) {
      if (each.data() instanceof RecordData.Soa soa) {
        return OptionalLong.of(soa.serial());
      }
    }
    return OptionalLong.empty();
  }

  private static DnsAnswer send(
      Query query, TransferSource.Zone zone, OptionalLong serial, boolean datagram) {
    ResourceRecord soa = zone.soa();
    boolean current =
        soa.data() instanceof RecordData.Soa data
            && serial.isPresent()
            && serial.getAsLong() == data.serial();
    if (current || datagram) {
      // Over UDP the SOA alone says "ask again over TCP" (RFC 1995 section 2).
      return Reply.authoritative("transfer", List.of(soa));
    }
    log.atInfo()
        .addKeyValue("zone", query.name())
        .addKeyValue("to", query.origin().remote())
        .log("sending a zone");
    return new DnsAnswer.ZoneTransfer(() -> pieces(soa, zone.records()));
  }

  private static Iterator<List<ResourceRecord>> pieces(
      ResourceRecord soa, Iterator<ResourceRecord> records) {
    return new Iterator<>() {
      private boolean begun;
      private boolean ended;

      @Override
      public boolean hasNext() {
        return !ended;
      }

      @Override
      public List<ResourceRecord> next() {
        List<ResourceRecord> piece = new ArrayList<>();
        if (!begun) {
          begun = true;
          piece.add(soa);
        }
        while (piece.size() < PIECE && records.hasNext()) {
          piece.add(records.next());
        }
        if (!records.hasNext()) {
          ended = true;
          piece.add(soa);
        }
        return piece;
      }
    };
  }

  @Override
  public void changed(ResourceRecord soa) {
    for (TransferPermission permission : permissions) {
      if (permission.zones().contain(soa.owner())) {
        for (InetSocketAddress server : permission.servers()) {
          int id = context.instance().random().nextInt(0x10000);
          Tasks.start("dns-notify-" + server, () -> notifier.send(server, soa, id));
        }
      }
    }
  }
}
