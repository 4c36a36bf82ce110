package io.fairlead.policy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.LoggedPacket;
import io.fairlead.policy.core.Oracle;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The last denied packets, joined by what they wanted, each with its reason. A new one is logged
/// once. The thread that receives packets writes, others read copies.
final class DropLog {
  private static final Logger log = LoggerFactory.getLogger(DropLog.class);
  private static final int KEPT = 1024;
  private static final Duration ORACLE_AGE = Duration.ofSeconds(1);

  /// What packets have in common.
  record Key(String chain, IpAddress source, IpAddress destination, int protocol, int port) {}

  /// @param count packets the kernel told of: at most one a second and pair after the first five
  record Drop(Key key, DropReason reason, long count, Instant first, Instant last) {}

  private final String node;
  private final Supplier<Oracle> oracles;
  private final Supplier<String> shown;
  private final InstantSource clock;
  private final Ticker ticker;
  // Guarded by this.
  private final Map<Key, Drop> drops =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Drop> eldest) {
          return size() > KEPT;
        }
      };
  // Owned by the receiving thread.
  private @Nullable Oracle oracle;
  private long oracleMade;

  /// @param oracles makes one over the objects as they are now
  /// @param shown up to which version the kernel shows pods; empty before it does
  DropLog(
      String node,
      Supplier<Oracle> oracles,
      Supplier<String> shown,
      InstantSource clock,
      Ticker ticker) {
    this.node = node;
    this.shown = shown;
    this.oracles = oracles;
    this.clock = clock;
    this.ticker = ticker;
  }

  /// A rule of the table logged a packet.
  void add(LoggedPacket packet) {
    String chain = packet.prefix().strip().substring(packet.prefix().strip().lastIndexOf(' ') + 1);
    Key key =
        new Key(
            chain,
            IpAddress.ofBytes(packet.source().getAddress()),
            IpAddress.ofBytes(packet.destination().getAddress()),
            packet.protocol(),
            packet.destinationPort());
    Instant now = clock.instant();
    synchronized (drops) {
      Drop known = drops.get(key);
      if (known != null) {
        drops.put(key, new Drop(key, known.reason(), known.count() + 1, known.first(), now));
        return;
      }
    }
    Drop added = new Drop(key, reason(key), 1, now, now);
    synchronized (drops) {
      drops.put(key, added);
    }
    log.atInfo()
        .addKeyValue("code", added.reason().code())
        .addKeyValue("source", key.source())
        .addKeyValue("destination", key.destination())
        .addKeyValue("next", added.reason().next().orElse(""))
        .log(added.reason().text());
  }

  private DropReason reason(Key key) {
    Oracle current = oracle;
    if (current == null || ticker.nanos() - oracleMade > ORACLE_AGE.toNanos()) {
      current = oracles.get();
      oracle = current;
      oracleMade = ticker.nanos();
    }
    return DropReason.of(
            current,
            node,
            shown.get(),
            key.source(),
            key.destination(),
            key.protocol(),
            key.port(),
            current.decideHere(key.source(), key.destination(), key.protocol(), key.port()))
        .orElseGet(
            () ->
                new DropReason(
                    DropReason.DENIED,
                    "dropped by policies that have changed since",
                    List.of(),
                    java.util.Optional.empty()));
  }

  /// The newest last.
  List<Drop> newest() {
    synchronized (drops) {
      return new ArrayList<>(drops.values());
    }
  }
}
