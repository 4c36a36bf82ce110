package io.fairlead.dns.rewrite;

import io.fairlead.dns.plugin.Answer;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.Rcode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// Applies the rules of a block.
final class Rewrite implements ChainPlugin {
  /// @param goOn whether further rules are tried after it
  record Step(Rule rule, boolean goOn) {}

  private final List<Step> steps;

  Rewrite(List<Step> steps) {
    this.steps = List.copyOf(steps);
  }

  @Override
  public String name() {
    return "rewrite";
  }

  @Override
  public Answer handle(Query query, Handler next) {
    Query changed = query;
    List<UnaryOperator<Reply>> onReply = new ArrayList<>();
    try {
      for (Step step : steps) {
        Rule.Effect effect = step.rule().apply(changed);
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
    Answer answer = next.handle(changed);
    if (!(answer instanceof Reply reply)) {
      return answer;
    }
    for (UnaryOperator<Reply> change : onReply.reversed()) {
      reply = change.apply(reply);
    }
    return reply;
  }
}
