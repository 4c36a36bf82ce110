package io.fairlead.dns.rewrite;

import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.Rcode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// Applies the rules of a block.
final class RewritePlugin implements ChainPlugin {
  /// @param goOn whether further rules are tried after it
  record Step(RewriteRule rule, boolean goOn) {}

  private final List<Step> steps;

  RewritePlugin(List<Step> steps) {
    this.steps = List.copyOf(steps);
  }

  @Override
  public String name() {
    return "rewrite";
  }

  /// Values of EDNS options can come from the client's address.
  @Override
  public boolean treatsClientsAlike() {
    return steps.stream().noneMatch(step -> step.rule() instanceof EdnsRule);
  }

  @Override
  public boolean mayBlock() {
    return steps.stream().anyMatch(step -> step.rule().mayBlock());
  }

  @Override
  public DnsAnswer handle(Query query, Handler next) {
    Query changed = query;
    List<UnaryOperator<Reply>> onReply = new ArrayList<>();
    try {
      for (Step step : steps) {
        RewriteRule.Effect effect = step.rule().apply(changed);
        if (effect == null) {
          continue;
        }
        changed = effect.query();
        onReply.addAll(effect.onReply());
        if (!step.goOn()) {
          break;
        }
      }
    } catch (BadNameException e) {
      return Reply.failed("rewrite", Rcode.SERVFAIL, "rewrite: " + e.getMessage());
    }
    DnsAnswer answer = next.handle(changed);
    if (!(answer instanceof Reply reply)) {
      return answer;
    }
    for (UnaryOperator<Reply> change : onReply.reversed()) {
      reply = change.apply(reply);
    }
    return reply;
  }
}
