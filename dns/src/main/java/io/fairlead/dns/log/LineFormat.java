package io.fairlead.dns.log;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordType;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The shape of a log line: text and placeholders, taken apart once.
///
/// An unknown placeholder stays as it is written, as in CoreDNS; `{/label}` is a fact that another
/// plugin knows about the query, `-` when none does.
final class LineFormat {
  static final String COMMON =
      "{remote}:{port} - {>id} \"{type} {class} {name} {proto} {size} {>do} {>bufsize}\" {rcode}"
          + " {>rflags} {rsize} {duration}";
  static final String COMBINED = COMMON + " {>opcode}";

  private static final int LARGEST = 65535;

  /// The facts a line can show.
  ///
  /// @param metadata facts of other plugins, by label
  record LogFields(Query query, Reply reply, long nanoseconds, Map<String, String> metadata) {}

  private static final Map<String, Function<LogFields, String>> PLACEHOLDERS =
      Map.ofEntries(
          Map.entry("{type}", facts -> RecordType.name(facts.query().type())),
          Map.entry("{class}", facts -> RecordClass.name(facts.query().question().recordClass())),
          Map.entry("{name}", facts -> facts.query().name().toString()),
          Map.entry("{proto}", facts -> facts.query().origin().transport().protocol()),
          Map.entry("{size}", facts -> Integer.toString(facts.query().size())),
          Map.entry("{remote}", facts -> shown(facts.query().origin().remote().getAddress())),
          Map.entry("{port}", facts -> Integer.toString(facts.query().origin().remote().getPort())),
          Map.entry("{local}", facts -> shown(facts.query().origin().local().getAddress())),
          Map.entry("{rcode}", facts -> Rcode.name(facts.reply().rcode())),
          Map.entry("{rsize}", facts -> Integer.toString(size(facts))),
          Map.entry(
              "{duration}",
              facts -> String.format(Locale.ROOT, "%.9fs", facts.nanoseconds() / 1e9)),
          Map.entry("{>id}", facts -> Integer.toString(facts.query().request().header().id())),
          Map.entry(
              "{>opcode}", facts -> Integer.toString(facts.query().request().header().opcode())),
          Map.entry("{>do}", facts -> Boolean.toString(facts.query().dnssecOk())),
          Map.entry("{>bufsize}", facts -> Integer.toString(bufferSize(facts.query().edns()))),
          Map.entry("{>rflags}", LineFormat::flags));

  private final List<Function<LogFields, String>> parts = new ArrayList<>();
  private final String text;
  private boolean usesMetadata;

  private LineFormat(String text) {
    this.text = text;
  }

  static LineFormat of(String text) {
    LineFormat format =
        new LineFormat(text.replace("{common}", COMMON).replace("{combined}", COMBINED));
    format.read();
    return format;
  }

  @Override
  public String toString() {
    return text;
  }

  private void read() {
    int at = 0;
    while (at < text.length()) {
      int open = text.indexOf('{', at);
      int close = open < 0 ? -1 : text.indexOf('}', open);
      if (close < 0) {
        addText(text.substring(at));
        return;
      }
      addText(text.substring(at, open));
      String placeholder = text.substring(open, close + 1);
      Function<LogFields, String> known = PLACEHOLDERS.get(placeholder);
      if (known != null) {
        parts.add(known);
      } else if (placeholder.startsWith("{/")) {
        usesMetadata = true;
        String label = placeholder.substring(2, placeholder.length() - 1);
        parts.add(facts -> facts.metadata().getOrDefault(label, "-"));
      } else {
        addText(placeholder);
      }
      at = close + 1;
    }
  }

  private void addText(String plain) {
    if (!plain.isEmpty()) {
      parts.add(_ -> plain);
    }
  }

  boolean usesMetadata() {
    return usesMetadata;
  }

  String line(LogFields facts) {
    StringBuilder line = new StringBuilder();
    parts.forEach(part -> line.append(part.apply(facts)));
    return line.toString();
  }

  private static String shown(InetAddress address) {
    String text = address.getHostAddress();
    return address instanceof Inet6Address
        ? "[" + IpAddress.ofBytes(address.getAddress()) + "]"
        : text;
  }

  private static int bufferSize(@Nullable Edns edns) {
    return edns == null ? 512 : edns.udpSize();
  }

  private static String flags(LogFields facts) {
    return header(facts).flagText().replace(' ', ',');
  }

  private static Header header(LogFields facts) {
    Header asked = facts.query().request().header();
    int flags = Header.QR | facts.reply().flags() | (asked.flags() & (Header.RD | Header.CD));
    return new Header(asked.id(), asked.opcode(), flags, facts.reply().rcode());
  }

  /// Of the whole reply; a client may get less of it.
  private static int size(LogFields facts) {
    Reply reply = facts.reply();
    return new DnsMessage(
            header(facts),
            facts.query().request().questions(),
            reply.answer(),
            reply.authority(),
            reply.additional(),
            null)
        .write(LARGEST)
        .length;
  }
}
