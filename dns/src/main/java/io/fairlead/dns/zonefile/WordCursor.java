package io.fairlead.dns.zonefile;

import io.fairlead.dns.wire.Name;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The words of an entry, taken one after the other.
final class WordCursor {
  private static final long MOST_U32 = 0xffff_ffffL;

  private final int line;
  private final List<MasterFileEntry.Word> words;
  private final Name origin;
  private int at;

  WordCursor(MasterFileEntry entry, Name origin) {
    this.line = entry.line();
    this.words = entry.words();
    this.origin = origin;
  }

  boolean more() {
    return at < words.size();
  }

  MasterFileEntry.Word peek() throws ZoneFileException {
    if (!more()) {
      throw problem("the record ends too early");
    }
    return words.get(at);
  }

  String next() throws ZoneFileException {
    String text = peek().text();
    at++;
    return text;
  }

  /// All words that are left; none are afterwards.
  List<MasterFileEntry.Word> remaining() {
    List<MasterFileEntry.Word> left = words.subList(at, words.size());
    at = words.size();
    return left;
  }

  ZoneFileException problem(String what) {
    return new ZoneFileException(line, what);
  }

  void end() throws ZoneFileException {
    if (more()) {
      throw problem("'" + peek().text() + "' is one word too many");
    }
  }

  Name name() throws ZoneFileException {
    return name(next());
  }

  /// A name relative to the origin unless it ends with a dot; `@` is the origin.
  Name name(String text) throws ZoneFileException {
    if (text.equals("@")) {
      return origin;
    }
    Name name = Name.parseOrNull(text);
    boolean absolute = text.endsWith(".") && !text.endsWith("\\.");
    Name full = name == null || absolute ? name : name.append(origin);
    if (full == null) {
      throw problem("'" + text + "' is no domain name");
    }
    return full;
  }

  int number(int most) throws ZoneFileException {
    return (int) number((long) most);
  }

  long unsigned() throws ZoneFileException {
    return number(MOST_U32);
  }

  private long number(long most) throws ZoneFileException {
    String text = next();
    try {
      long value = Long.parseLong(text);
      if (value >= 0 && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw problem("'" + text + "' is no number");
    }
    throw problem(text + " is not between 0 and " + most);
  }

  /// Seconds, also as `1h30m`.
  int time() throws ZoneFileException {
    String text = next();
    int seconds = Ttl.parse(text);
    if (seconds < 0) {
      throw problem("'" + text + "' is no time");
    }
    return seconds;
  }

  /// A text with its escapes resolved, at most 255 bytes.
  String text() throws ZoneFileException {
    String raw = next();
    StringBuilder text = new StringBuilder();
    byte[] bytes = raw.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      int c = bytes[i] & 0xff;
      if (c == '\\' && i + 3 < bytes.length && digits(bytes, i + 1)) {
        c = (bytes[i + 1] - '0') * 100 + (bytes[i + 2] - '0') * 10 + bytes[i + 3] - '0';
        i += 3;
      } else if (c == '\\' && i + 1 < bytes.length) {
        c = bytes[++i] & 0xff;
      }
      text.append((char) (c & 0xff));
    }
    if (text.length() > 255) {
      throw problem("a text has more than 255 bytes");
    }
    return text.toString();
  }

  private static boolean digits(byte[] bytes, int from) {
    for (int i = from; i < from + 3; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return false;
      }
    }
    return true;
  }

  List<String> texts() throws ZoneFileException {
    List<String> texts = new ArrayList<>();
    do {
      texts.add(text());
    } while (more());
    return texts;
  }

  /// All words that are left, joined.
  String rest() throws ZoneFileException {
    StringBuilder rest = new StringBuilder();
    while (more()) {
      rest.append(next());
    }
    return rest.toString();
  }
}
