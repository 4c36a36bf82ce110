package io.fairlead.dns.server;

import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.ReplyValidity;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.work.Ticker;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Replies of chains as ready bytes, for packets that come again: all that a reply depends on
/// beside the client is in the packet, and [Reply#validity] says how long it does not depend on the
/// client and stays right. The thread that received a packet answers it from here, without a chain.
///
/// How it works: a table of fixed size with two places for each packet; a newer reply takes the
/// place of an older one. A packet is kept when it comes the second time, so a flood of names that
/// are asked once keeps nothing and drives nothing out. Neither the number of replies nor their
/// bytes grow beyond a limit; clearing the table frees what the replies of an old configuration
/// hold. Safe for any thread, without a lock.
final class ReadyReplies {
  private static final int PLACES = 1 << 13;
  private static final int ID_BYTES = 2;

  // Longer ones are rare and not what costs time: 8,192 of these are 8 MB.
  private static final int LONGEST = 1024;

  /// One reply. Owns its arrays, which never change.
  private static final class ReadyReply {
    final int hash;
    // The packet, whose first two bytes, its id, do not count.
    final byte[] query;
    final byte[] reply;
    final Router router;
    final Router.Route route;
    final int rcode;
    final String plugin;
    final ReplyValidity validity;

    ReadyReply(
        int hash,
        byte[] query,
        byte[] reply,
        Router router,
        Router.Route route,
        Reply made,
        ReplyValidity validity) {
      this.hash = hash;
      this.query = query;
      this.reply = reply;
      this.router = router;
      this.route = route;
      this.rcode = made.rcode();
      this.plugin = made.plugin();
      this.validity = validity;
    }

    boolean answers(int hashed, byte[] packet, int length, Router now) {
      return hash == hashed
          && now.equals(router)
          && Arrays.equals(query, ID_BYTES, query.length, packet, ID_BYTES, length);
    }
  }

  private final Ticker ticker;
  private final AtomicReferenceArray<@Nullable ReadyReply> places =
      new AtomicReferenceArray<>(PLACES);
  // The hash of the last packet for each place that came and could have been kept.
  private final AtomicIntegerArray came = new AtomicIntegerArray(PLACES);

  ReadyReplies(Ticker ticker) {
    this.ticker = ticker;
  }

  /// Keeps the reply to a packet for as long as it is valid; a packet with EDNS options, whose
  /// values can be the client's own, is not to be kept.
  ///
  /// @param packet the caller's; it is copied
  void keep(
      byte[] packet, int length, byte[] reply, Router router, Router.Route route, Reply made) {
    ReplyValidity validity = made.validity();
    if (validity == null || length + reply.length > LONGEST) {
      return;
    }
    int hash = hash(packet, length);
    int first = hash & (PLACES - 1);
    if (came.getPlain(first) != hash) {
      came.setPlain(first, hash);
      return;
    }
    byte[] query = Arrays.copyOf(packet, length);
    ReadyReply ready = new ReadyReply(hash, query, reply, router, route, made, validity);
    ReadyReply there = places.getAcquire(first);
    boolean free =
        there == null
            || there.answers(hash, packet, length, router)
            || !there.router.equals(router)
            || !there.validity.holds(ticker.nanos());
    places.setRelease(free ? first : first ^ 1, ready);
  }

  /// Forgets all of them.
  void clear() {
    for (int i = 0; i < PLACES; i++) {
      places.setRelease(i, null);
    }
  }

  /// Writes the reply to a packet if it is ready.
  ///
  /// @return its length; 0 when the chain has to be asked
  int answer(Router router, QueryView view, int length, byte[] out, boolean ipv6) {
    byte[] packet = view.bytes();
    int hash = hash(packet, length);
    int first = hash & (PLACES - 1);
    ReadyReply ready = find(first, hash, packet, length, router);
    if (ready == null) {
      ready = find(first ^ 1, hash, packet, length, router);
    }
    if (ready == null) {
      return 0;
    }
    long started = ticker.nanos();
    if (!ready.validity.holds(started)) {
      return 0;
    }
    byte[] reply = ready.reply;
    System.arraycopy(reply, ID_BYTES, out, ID_BYTES, reply.length - ID_BYTES);
    System.arraycopy(packet, 0, out, 0, ID_BYTES);
    ready.validity.repeated(started);
    var stats = ready.route.stats();
    stats.request(false, ipv6, view.type(), view.dnssecOk(), length);
    stats.response(false, ready.rcode, ready.plugin, reply.length, ticker.nanos() - started);
    return reply.length;
  }

  private @Nullable ReadyReply find(int place, int hash, byte[] packet, int length, Router router) {
    ReadyReply there = places.getAcquire(place);
    return there != null && there.answers(hash, packet, length, router) ? there : null;
  }

  private static int hash(byte[] packet, int length) {
    int hash = 0x811c9dc5;
    for (int i = ID_BYTES; i < length; i++) {
      hash = (hash ^ packet[i]) * 0x01000193;
    }
    return hash ^ hash >>> 15;
  }
}
