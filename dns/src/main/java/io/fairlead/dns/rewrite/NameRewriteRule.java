package io.fairlead.dns.rewrite;

import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Asks for another name.
///
/// @param auto whether names in the answer are put back
/// @param answers further changes to names in the answer
record NameRewriteRule(NameMatch match, String to, boolean auto, List<AnswerRule> answers)
    implements RewriteRule {

  /// @param values whether it changes what records point to, and not whose they are
  record AnswerRule(boolean values, NameMatch match, String to) {}

  @Override
  public @Nullable Effect apply(Query query) {
    String text = match.replace(NameMatch.text(query.name()), to);
    if (text == null) {
      return null;
    }
    Name renamed = Name.parseOrNull(text);
    if (renamed == null) {
      throw new BadNameException("'" + text + "' is no domain name, made from " + query.name());
    }
    Question asked = query.question();
    Query other = query.withQuestion(new Question(renamed, asked.type(), asked.recordClass()));
    List<UnaryOperator<Reply>> onReply = new ArrayList<>();
    if (auto) {
      onReply.add(reply -> restored(reply, renamed, query.name()));
    }
    for (AnswerRule rule : answers) {
      onReply.add(reply -> reply.map(each -> changed(each, rule)));
    }
    return new Effect(other, onReply);
  }

  private static Reply restored(Reply reply, Name renamed, Name asked) {
    UnaryOperator<Name> back = name -> name.equals(renamed) ? asked : name;
    return reply.map(each -> withValue(each.withOwner(back.apply(each.owner())), back));
  }

  private static ResourceRecord changed(ResourceRecord each, AnswerRule rule) {
    UnaryOperator<Name> change =
        name -> {
          String text = rule.match().replace(NameMatch.text(name), rule.to());
          Name renamed = text == null ? null : Name.parseOrNull(text);
          return renamed == null ? name : renamed;
        };
    return rule.values() ? withValue(each, change) : each.withOwner(change.apply(each.owner()));
  }

  private static ResourceRecord withValue(ResourceRecord each, UnaryOperator<Name> change) {
    RecordData data =
        switch (each.data()) {
          case RecordData.Target(int type, Name name) ->
              new RecordData.Target(type, change.apply(name));
          case RecordData.Mx(int preference, Name exchange) ->
              new RecordData.Mx(preference, change.apply(exchange));
          case RecordData.Srv(int priority, int weight, int port, Name target) ->
              new RecordData.Srv(priority, weight, port, change.apply(target));
          default -> each.data();
        };
    return new ResourceRecord(each.owner(), each.recordClass(), each.ttl(), data);
  }
}
