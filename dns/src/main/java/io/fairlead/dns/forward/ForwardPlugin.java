package io.fairlead.dns.forward;

import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Readiness;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All `forward` lines of a block, asked in the order they are written: the first that takes the
/// name answers, unless it says that the next one should.
final class ForwardPlugin implements ChainPlugin, ForwardSwitch, Readiness {
  /// An extended error, "other" (RFC 8914).
  private static final int ERROR_OTHER = 0;

  private final List<Forwarder> lines;
  private volatile @Nullable String off;

  ForwardPlugin(List<Forwarder> lines) {
    this.lines = List.copyOf(lines);
  }

  @Override
  public String name() {
    return "forward";
  }

  @Override
  public List<? extends Record> options() {
    return lines.stream().map(Forwarder::options).toList();
  }

  @Override
  public void start() {
    lines.forEach(Forwarder::start);
  }

  @Override
  public void stop() {
    lines.forEach(Forwarder::close);
  }

  @Override
  public boolean passesOwnData(Name zone) {
    return true;
  }

  @Override
  public boolean ready() {
    return off == null;
  }

  @Override
  public void turnOff(String why) {
    off = why;
  }

  @Override
  public void turnOn() {
    off = null;
  }

  @Override
  public boolean treatsClientsAlike() {
    return true;
  }

  @Override
  public DnsAnswer handle(Query query, Handler next) {
    Reply last = null;
    for (Forwarder line : lines) {
      if (!line.matches(query.name())) {
        continue;
      }
      String why = off;
      if (why != null) {
        return Reply.failed("forward", Rcode.SERVFAIL, why)
            .withOptions(List.of(EdnsOption.error(ERROR_OTHER, why)));
      }
      last = line.forward(query);
      if (!line.passesOn(last)) {
        return last;
      }
    }
    return last == null ? next.handle(query) : last;
  }
}
