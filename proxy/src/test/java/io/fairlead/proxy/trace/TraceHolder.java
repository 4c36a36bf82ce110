package io.fairlead.proxy.trace;

import io.fairlead.proxy.core.Protocol;
import java.net.InetAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A process in the middle of a trace, to be killed.
public final class TraceHolder {
  private TraceHolder() {}

  public static void main(String[] words) throws InterruptedException {
    try (TraceTable _ =
        TraceTable.open(
            new TraceTable.Match(
                InetAddress.ofLiteral("192.0.2.10"),
                InetAddress.ofLiteral("10.112.0.1"),
                Protocol.TCP,
                0,
                80))) {
      boolean _ = new CountDownLatch(1).await(1, TimeUnit.MINUTES);
    }
  }
}
