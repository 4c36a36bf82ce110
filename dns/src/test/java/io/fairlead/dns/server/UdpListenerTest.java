package io.fairlead.dns.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.dns.StandardPlugins;
import io.fairlead.dns.corefile.Corefile;
import io.fairlead.dns.corefile.CorefileImports;
import io.fairlead.dns.metrics.DnsServerMetrics;
import io.fairlead.dns.metrics.Metrics;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.dns.testing.DnsTestClient;
import io.fairlead.dns.testing.Rig;
import io.fairlead.kernel.syscall.DatagramBatch;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.work.LoopRegistry;
import io.fairlead.work.LoopStatus;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

/// A listener whose socket fails: a real socket with failures put before its packets.
class UdpListenerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Errno ENETDOWN = new Errno(100);

  /// Returns the errno of a failure, or receives while that is 0.
  private static final class FailingReceiver implements UdpListener.Receiver {
    private final IntSupplier failure;
    private final AtomicInteger failed = new AtomicInteger();

    FailingReceiver(IntSupplier failure) {
      this.failure = failure;
    }

    @Override
    public int receive(DatagramBatch batch) {
      int errno = failure.getAsInt();
      if (errno == 0) {
        return batch.receive();
      }
      failed.incrementAndGet();
      return -errno;
    }
  }

  private static UdpListener listen(UdpListener.Receiver receiver) throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    DnsServerDependencies dependencies =
        new DnsServerDependencies(
            StandardPlugins.byName(),
            InstantSource.system(),
            Ticker.system(),
            Pacer.system(),
            random,
            DnsServerDependencies.SLOW_QUERIES);
    Metrics metrics = new Metrics();
    DnsServerMetrics serverMetrics = new DnsServerMetrics(metrics);
    Rig control = new Rig("whoami", Rig.refusing());
    ServerInstance instance =
        ServerInstance.of(
            dependencies,
            new ServerInstance.ProcessContext(
                metrics, serverMetrics, new SharedResources(), control),
            Corefile.parse(
                    Path.of("Corefile"),
                    ".:0 {\n whoami\n}",
                    53,
                    CorefileImports.files(),
                    System::getenv)
                .blocks());
    ChainRunner runner =
        new ChainRunner(
            serverMetrics,
            new ReplyEncoder(new DnsCookies(random, InstantSource.system()), random),
            Ticker.system(),
            DnsServerDependencies.SLOW_QUERIES);
    return new UdpListener(
        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0),
        1,
        instance.routers().values().iterator().next(),
        runner,
        serverMetrics,
        Ticker.system(),
        random,
        receiver);
  }

  private static long restarts() {
    return LoopRegistry.statuses().stream()
        .filter(each -> each.kind().equals("dns-udp"))
        .mapToLong(LoopStatus::restarts)
        .sum();
  }

  private static boolean failing() {
    return LoopRegistry.failingFor(Duration.ZERO).stream()
        .anyMatch(each -> each.kind().equals("dns-udp"));
  }

  @Test
  void aSocketThatKeepsFailingIsTriedOnlyAfterAWait() throws Exception {
    long before = restarts();
    FailingReceiver receiver = new FailingReceiver(ENETDOWN::number);
    try (UdpListener _ = listen(receiver)) {
      await().atMost(PATIENCE).until(() -> receiver.failed.get() > 2);
      // The loop counts every failure and waits after each, so there are few; a spinning one makes
      // millions before this line.
      int failed = receiver.failed.get();
      assertThat(failed).isLessThan(20);
      assertThat(restarts() - before).isGreaterThanOrEqualTo(failed - 1L);
      assertThat(failing()).isTrue();
    }
    assertThat(failing()).isFalse();
  }

  @Test
  void aSocketThatWorksAgainAnswers() throws Exception {
    AtomicInteger left = new AtomicInteger(3);
    long before = restarts();
    FailingReceiver receiver =
        new FailingReceiver(() -> left.getAndDecrement() > 0 ? ENETDOWN.number() : 0);
    try (UdpListener listener = listen(receiver)) {
      assertThat(DnsTestClient.udp(listener.address(), "example.org", "A").rcode()).isZero();
      assertThat(restarts() - before).isEqualTo(3);
      await().atMost(PATIENCE).until(() -> !failing());
    }
  }

  @Test
  void aReceiverThatThrowsIsCalledAgain() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    UdpListener.Receiver receiver =
        batch -> {
          if (calls.getAndIncrement() == 0) {
            throw new IllegalStateException("once");
          }
          return batch.receive();
        };
    try (UdpListener listener = listen(receiver)) {
      assertThat(DnsTestClient.udp(listener.address(), "example.org", "A").rcode()).isZero();
    }
  }

  @Test
  void anInterruptedCallIsNoFailure() throws Exception {
    AtomicInteger left = new AtomicInteger(3);
    long before = restarts();
    FailingReceiver receiver =
        new FailingReceiver(() -> left.getAndDecrement() > 0 ? Errno.EINTR.number() : 0);
    try (UdpListener listener = listen(receiver)) {
      assertThat(DnsTestClient.udp(listener.address(), "example.org", "A").rcode()).isZero();
      assertThat(restarts() - before).isZero();
    }
  }
}
