package io.fairlead.proxy.announce;

import io.fairlead.api.net.IpAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// The addresses that this node answers for, each until a deadline, so that a process that was
/// stopped answers nothing before it has looked again. Swapped whole by the announcer, read by the
/// threads that hear frames.
final class AnsweredAddresses {
  private volatile Map<IpAddress, Answer> answers = Map.of();

  /// @param until answers end then, in the announcer's time
  /// @param interfaces the numbers of those it is answered on
  record Answer(long until, Set<Integer> interfaces) {
    Answer {
      interfaces = Set.copyOf(interfaces);
    }
  }

  void replace(Map<IpAddress, Answer> all) {
    if (!all.equals(answers)) {
      answers = Map.copyOf(new HashMap<>(all));
    }
  }

  boolean answers(IpAddress address, int link, long now) {
    Answer answer = answers.get(address);
    return answer != null && answer.until - now > 0 && answer.interfaces.contains(link);
  }

  Set<IpAddress> addresses() {
    return answers.keySet();
  }
}
