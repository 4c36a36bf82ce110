package io.fairlead.proxy.bgp;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What BIRD answered to one command, and what it means.
///
/// How it works: each line has a number of four digits; behind it stands a hyphen when more lines
/// follow, a space in the last one. A line that begins with a space belongs to the number before.
/// Numbers from 8000 on are failures.
///
/// @param lines without numbers
/// @param code of the last line
record BirdReply(List<String> lines, int code) {
  private static final int FAILURES = 8000;
  private static final int CODE_DIGITS = 4;
  private static final Pattern LAST = Pattern.compile("\\d{4} .*|\\d{4}");
  // Name, protocol, table, state, since (one word or two), and what the protocol says.
  private static final Pattern PROTOCOL =
      Pattern.compile("(\\S+)\\s+BGP\\s+\\S+\\s+(\\S+)\\s+\\S+(?: \\d\\d:\\S+)?(?:\\s+(.*))?");
  private static final Pattern PHASE =
      Pattern.compile("(Idle|Connect|Active|OpenSent|OpenConfirm|Established|Close|Down)\\s*(.*)");

  BirdReply {
    lines = List.copyOf(lines);
  }

  /// Reads an answer; empty when it is not whole yet.
  static Optional<BirdReply> read(String text) {
    List<String> lines = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      if (LAST.matcher(line).matches() && text.endsWith("\n")) {
        int code = Integer.parseInt(line.substring(0, CODE_DIGITS));
        lines.add(line.substring(Math.min(line.length(), CODE_DIGITS + 1)));
        return Optional.of(new BirdReply(lines, code));
      }
      boolean coded = line.length() > CODE_DIGITS && line.charAt(CODE_DIGITS) == '-';
      lines.add(coded ? line.substring(CODE_DIGITS + 1) : line.strip());
    }
    return Optional.empty();
  }

  boolean failed() {
    return code >= FAILURES;
  }

  String lastLine() {
    return lines.getLast();
  }

  /// The sessions of an answer to `show protocols`.
  List<BgpSessionState> sessions() {
    List<BgpSessionState> sessions = new ArrayList<>();
    for (String line : lines) {
      Matcher protocol = PROTOCOL.matcher(line);
      if (protocol.matches()) {
        String information = protocol.group(3) == null ? "" : protocol.group(3).strip();
        Matcher phase = PHASE.matcher(information);
        String word = phase.matches() ? phase.group(1) : protocol.group(2);
        String reason = phase.matches() ? phase.group(2).strip() : information;
        sessions.add(
            new BgpSessionState(
                BirdConfiguration.peer(protocol.group(1)), word, withoutClass(reason)));
      }
    }
    return sessions;
  }

  /// `Socket: Connection refused` says where the failure was noticed; what happened is enough.
  private static String withoutClass(String reason) {
    return reason.startsWith("Socket: ") ? reason.substring("Socket: ".length()) : reason;
  }
}
