package io.fairlead.dns.cache;

import static io.fairlead.dns.testing.TestReplies.a;
import static io.fairlead.dns.testing.TestReplies.found;

import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// The server behind the cache: says what it is told to and counts.
final class CountedUpstream implements Handler {
  final AtomicInteger asked = new AtomicInteger();
  volatile Reply reply = found(a("db.example.net", 120, "192.0.2.80"));
  volatile CountDownLatch gate = new CountDownLatch(0);

  @Override
  public DnsAnswer handle(Query query) {
    Reply now = reply;
    asked.incrementAndGet();
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return now;
  }
}
