package io.fairlead.dns.log;

import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.Rcode;

/// Sorts of replies that can be logged apart.
enum ReplyClass {
  SUCCESS,
  DENIAL,
  ERROR;

  static ReplyClass of(Reply reply) {
    return switch (reply.rcode()) {
      case Rcode.NOERROR -> reply.answer().isEmpty() ? DENIAL : SUCCESS;
      case Rcode.NXDOMAIN -> DENIAL;
      default -> ERROR;
    };
  }
}
