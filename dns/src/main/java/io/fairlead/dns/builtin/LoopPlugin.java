package io.fairlead.dns.builtin;

import io.fairlead.dns.forward.ForwardSwitch;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.QueryOrigin;
import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.work.SupervisedLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends the question and counts how often it passes.
///
/// How it works: the question goes to the whole server, so it passes here once by itself. Each time
/// it passes again a forwarded copy came back. Two may be chance (a retry, two blocks); the third
/// is a loop. After two quiet seconds the check is over.
final class LoopPlugin implements ChainPlugin {
  private static final Logger log = LoggerFactory.getLogger(LoopPlugin.class);
  private static final int MOST_PASSES = 2;
  private static final int TRIES = 30;
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration QUIET = Duration.ofSeconds(2);

  /// @param zone under which the question for the check is made
  /// @param exit whether a loop ends the process
  record Options(Name zone, boolean exit) {}

  private final Name zone;
  private final Options options;
  private final BlockContext context;
  private final AtomicInteger passes = new AtomicInteger();
  private volatile @Nullable Name question;
  private volatile @Nullable SupervisedLoop check;
  // Owned by the check.
  private int tries;

  LoopPlugin(Options options, BlockContext context) {
    this.zone = options.zone();
    this.options = options;
    this.context = context;
  }

  @Override
  public String name() {
    return "loop";
  }

  @Override
  public List<? extends Record> options() {
    return List.of(options);
  }

  @Override
  public boolean passesOwnData(Name ofZone) {
    return true;
  }

  @Override
  public void start() {
    if (context.plugin("forward").isEmpty()) {
      return;
    }
    Name unique = Name.of(number() + "." + number()).append(zone);
    if (unique == null) {
      log.atWarn()
          .addKeyValue("zone", zone)
          .log("the zone's name leaves no room for the loop check");
      return;
    }
    question = unique;
    SupervisedLoop loop = SupervisedLoop.of("dns-loop-check").key(zone).build(() -> ask(unique));
    check = loop;
    loop.start();
  }

  private String number() {
    return Long.toUnsignedString(context.instance().random().nextLong());
  }

  private void ask(Name unique) throws InterruptedException {
    context.instance().pacer().pause(PAUSE);
    tries++;
    DnsAnswer answer = context.instance().resolver().handle(query(unique));
    boolean sent = !(answer instanceof Reply reply && reply.rcode() == Rcode.SERVFAIL);
    if (sent || tries >= TRIES) {
      context.instance().pacer().pause(QUIET);
      question = null;
      SupervisedLoop self = check;
      if (self != null) {
        self.finish();
      }
    }
  }

  private static Query query(Name unique) {
    Question question = new Question(unique, RecordType.HINFO, RecordClass.IN);
    InetSocketAddress self = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new Query(
        DnsMessage.query(0, question, Header.RD, null),
        new QueryOrigin(self, self, QueryTransport.UDP, "dns://:0"),
        Name.ROOT,
        0,
        0);
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
    Name unique = question;
    if (unique == null || query.type() != RecordType.HINFO || !query.name().equals(unique)) {
      return next.handle(query);
    }
    if (!query.mayBlock()) {
      // It is passed on, which waits: counted when it comes again.
      return new DnsAnswer.WouldBlock();
    }
    if (passes.incrementAndGet() > MOST_PASSES) {
      detected(query);
      return Reply.failed("loop", Rcode.SERVFAIL, "this question has been here before");
    }
    return next.handle(query);
  }

  private void detected(Query query) {
    question = null;
    String why =
        "Loop ("
            + query.origin().remote().getAddress().getHostAddress()
            + ":"
            + query.origin().remote().getPort()
            + " -> "
            + query.origin().server()
            + ") detected for zone "
            + zone
            + ": forward leads back to this server; name a real upstream instead of"
            + " /etc/resolv.conf or 127.0.0.53";
    log.error(why);
    if (options.exit()) {
      context.instance().control().stop(why);
      return;
    }
    context.plugins().stream()
        .filter(ForwardSwitch.class::isInstance)
        .map(ForwardSwitch.class::cast)
        .forEach(forward -> forward.turnOff(why));
  }

  @Override
  public void stop() {
    SupervisedLoop running = check;
    if (running != null) {
      running.close();
    }
  }
}
