package io.fairlead.dns.kubernetes;

import io.fairlead.dns.kubernetes.answer.AnswerOptions;
import io.fairlead.dns.kubernetes.answer.OwnZone;
import io.fairlead.dns.kubernetes.answer.ReplyComposer;
import io.fairlead.dns.kubernetes.answer.ReplyOutcome;
import io.fairlead.dns.kubernetes.data.ClusterData;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.WireException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Lets [ReplyComposer] write its reply and takes that apart again, for a chain that works with
/// records: so both ways give the same answers.
final class ChainLookup {
  private static final String PLUGIN = "kubernetes";
  private static final int LARGEST = 65_535;
  // Most replies are short, and a buffer is made for each.
  private static final int[] SIZES = {1024, 4096, LARGEST};

  /// The result of a lookup.
  interface Result<R> {
    R of(ReplyOutcome outcome, Reply reply, QueryView view, @Nullable OwnZone zone);
  }

  private ChainLookup() {}

  static boolean isTransfer(int type) {
    return type == RecordType.AXFR || type == RecordType.IXFR;
  }

  static <R> R look(
      ClusterData data,
      AnswerOptions options,
      RandomGenerator random,
      Question question,
      Result<R> result) {
    // A name's parent answers for its DS; when no zone is, it is a type like any other.
    int type = question.type() == RecordType.DS ? RecordType.NULL : question.type();
    Question asked = new Question(question.name(), type, question.recordClass());
    byte[] packet = DnsMessage.query(0, asked, 0, null).write(LARGEST);
    QueryView view = new QueryView();
    view.read(packet, packet.length);
    ReplyComposer composer = new ReplyComposer(data, options, random);
    byte[] out = new byte[0];
    ReplyOutcome outcome = ReplyOutcome.NOT_OURS;
    boolean written = true;
    for (int i = 0; i < SIZES.length && written && (i == 0 || (out[2] & 2) != 0); i++) {
      out = new byte[SIZES[i]];
      outcome = composer.answer(view, out, SIZES[i], 0);
      written = outcome == ReplyOutcome.ANSWERED || outcome == ReplyOutcome.NOT_FOUND;
    }
    Reply reply = written ? reply(out, composer.length()) : Reply.of(PLUGIN, Rcode.SERVFAIL);
    return result.of(outcome, reply, view, composer.zoneOf(view));
  }

  private static Reply reply(byte[] bytes, int length) {
    try {
      DnsMessage message = DnsMessage.read(bytes, 0, length);
      return new Reply(
          message.rcode(),
          message.header().flags(),
          message.answer(),
          message.authority(),
          message.additional(),
          List.of(),
          null,
          PLUGIN);
    } catch (WireException e) {
      throw new IllegalStateException("a reply of our own cannot be read", e);
    }
  }
}
