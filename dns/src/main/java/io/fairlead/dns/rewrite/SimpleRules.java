package io.fairlead.dns.rewrite;

import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Rules about one field.
final class SimpleRules {
  private SimpleRules() {}

  static RewriteRule type(int from, int to) {
    return query -> {
      Question asked = query.question();
      return asked.type() == from
          ? RewriteRule.Effect.of(
              query.withQuestion(new Question(asked.name(), to, asked.recordClass())))
          : null;
    };
  }

  static RewriteRule recordClass(int from, int to) {
    return query -> {
      Question asked = query.question();
      return asked.recordClass() == from
          ? RewriteRule.Effect.of(query.withQuestion(new Question(asked.name(), asked.type(), to)))
          : null;
    };
  }

  static RewriteRule ttl(NameMatch match, int least, int most) {
    return query ->
        match.fits(query.name())
            ? RewriteRule.Effect.later(
                query,
                reply ->
                    reply.map(each -> each.withTtl(Math.max(least, Math.min(most, each.ttl())))))
            : null;
  }

  static RewriteRule rcode(NameMatch match, int from, int to) {
    return query ->
        match.fits(query.name())
            ? RewriteRule.Effect.later(
                query, reply -> reply.rcode() == from ? reply.withRcode(to) : reply)
            : null;
  }

  /// Points an alias to another name, and answers with the records of that.
  static RewriteRule cname(NameMatch match, String to, Supplier<Handler> resolver) {
    return new RewriteRule() {
      @Override
      public Effect apply(Query query) {
        return Effect.later(query, reply -> redirected(query, reply, match, to, resolver.get()));
      }

      @Override
      public boolean mayBlock() {
        return true;
      }
    };
  }

  private static Reply redirected(
      Query query, Reply reply, NameMatch match, String to, Handler resolver) {
    List<ResourceRecord> answer = new ArrayList<>();
    for (ResourceRecord each : reply.answer()) {
      Name target = target(each, match, to);
      if (target == null) {
        answer.add(each);
        continue;
      }
      answer.add(
          new ResourceRecord(
              each.owner(), each.recordClass(), each.ttl(), RecordData.cname(target)));
      if (query.type() != RecordType.CNAME) {
        Question question = new Question(target, query.type(), query.question().recordClass());
        if (resolver.handle(query.nested(question)) instanceof Reply rest) {
          answer.addAll(rest.answer());
        }
      }
      return reply.withAnswer(answer).withValidity(null);
    }
    return reply;
  }

  private static @Nullable Name target(ResourceRecord each, NameMatch match, String to) {
    if (!(each.data() instanceof RecordData.Target(int type, Name target))
        || type != RecordType.CNAME) {
      return null;
    }
    String text = match.replace(NameMatch.text(target), to);
    return text == null ? null : Name.parseOrNull(text);
  }
}
