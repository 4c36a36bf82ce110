package io.fairlead.server.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Passes an HTML page through and changes the links in its tags by [ProxiedLinks].
///
/// How it works: bytes outside of start tags go through as they are. A start tag is held until its
/// `>`; the values of attributes that hold a link in that element (HTML, "Attributes" of the index)
/// are replaced, everything else in the tag keeps its bytes. Comments and the text of `script` and
/// `style` hold no tags. Every encoding that contains ASCII works, since bytes are read as Latin-1
/// and written back as that.
///
/// Belongs to one thread and one page.
final class HtmlLinkRewriter {
  private static final int BUFFER = 32 << 10;

  /// A longer tag passes unchanged: what is held for one page is bounded.
  private static final int LARGEST_TAG = 64 << 10;

  private static final Map<String, Set<String>> LINKS =
      Map.ofEntries(
          Map.entry("a", Set.of("href")),
          Map.entry("area", Set.of("href")),
          Map.entry("audio", Set.of("src")),
          Map.entry("base", Set.of("href")),
          Map.entry("blockquote", Set.of("cite")),
          Map.entry("body", Set.of("background")),
          Map.entry("button", Set.of("formaction")),
          Map.entry("del", Set.of("cite")),
          Map.entry("embed", Set.of("src")),
          Map.entry("form", Set.of("action")),
          Map.entry("frame", Set.of("longdesc", "src")),
          Map.entry("head", Set.of("profile")),
          Map.entry("html", Set.of("manifest")),
          Map.entry("iframe", Set.of("longdesc", "src")),
          Map.entry("img", Set.of("longdesc", "src", "usemap")),
          Map.entry("input", Set.of("formaction", "src", "usemap")),
          Map.entry("ins", Set.of("cite")),
          Map.entry("link", Set.of("href")),
          Map.entry("object", Set.of("codebase", "data", "usemap")),
          Map.entry("q", Set.of("cite")),
          Map.entry("script", Set.of("src")),
          Map.entry("source", Set.of("src")),
          Map.entry("track", Set.of("src")),
          Map.entry("video", Set.of("poster", "src")));

  private static final Set<String> RAW_TEXT = Set.of("script", "style", "textarea", "title");

  private enum State {
    TEXT,
    TAG,
    COMMENT
  }

  private final ProxiedLinks links;
  private final StringBuilder tag = new StringBuilder();
  private State state = State.TEXT;
  private char quote;

  /// The element whose text holds no tags; empty outside of one.
  private String raw = "";

  HtmlLinkRewriter(ProxiedLinks links) {
    this.links = links;
  }

  /// Copies to the end; what has been read is written at once, but for a tag that is not complete.
  void copy(InputStream from, OutputStream to) throws IOException {
    byte[] buffer = new byte[BUFFER];
    StringBuilder out = new StringBuilder(BUFFER);
    for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
      for (int i = 0; i < count; i++) {
        take((char) (buffer[i] & 0xff), out);
      }
      flush(out, to);
    }
    out.append(tag);
    flush(out, to);
  }

  private static void flush(StringBuilder out, OutputStream to) throws IOException {
    if (!out.isEmpty()) {
      to.write(out.toString().getBytes(StandardCharsets.ISO_8859_1));
      out.setLength(0);
    }
    to.flush();
  }

  private void take(char c, StringBuilder out) {
    switch (state) {
      case TEXT -> text(c, out);
      case COMMENT -> comment(c, out);
      case TAG -> tag(c, out);
    }
  }

  private void text(char c, StringBuilder out) {
    if (c == '<') {
      tag.append(c);
      quote = 0;
      state = State.TAG;
    } else {
      out.append(c);
    }
  }

  private void comment(char c, StringBuilder out) {
    out.append(c);
    tag.append(c);
    if (c == '>'
        && tag.length() >= 3
        && tag.charAt(tag.length() - 2) == '-'
        && tag.charAt(tag.length() - 3) == '-') {
      tag.setLength(0);
      state = State.TEXT;
    } else if (tag.length() > 2) {
      tag.deleteCharAt(0);
    }
  }

  private void tag(char c, StringBuilder out) {
    tag.append(c);
    if (!raw.isEmpty() && !mayEndRawText()) {
      tag.setLength(tag.length() - 1);
      giveUp(out);
      text(c, out);
    } else if (tag.length() == 2 && !isLetter(c) && c != '/' && c != '!') {
      giveUp(out);
    } else if (tag.length() == 4 && tag.indexOf("<!--") == 0) {
      out.append(tag);
      tag.setLength(0);
      state = State.COMMENT;
    } else if (quote != 0) {
      quote = c == quote ? 0 : quote;
    } else if (c == '>') {
      complete(out);
    } else if ((c == '"' || c == '\'') && opensValue()) {
      quote = c;
    }
    if (tag.length() > LARGEST_TAG) {
      giveUp(out);
    }
  }

  /// Whether what is held is, or begins, the end tag of the element whose text is raw.
  private boolean mayEndRawText() {
    String end = "</" + raw;
    int length = Math.min(tag.length(), end.length());
    return tag.substring(0, length).equalsIgnoreCase(end.substring(0, length))
        && (tag.length() <= end.length() || " \t\r\n\f/>".indexOf(tag.charAt(end.length())) >= 0);
  }

  /// Whether the quote just read stands at the beginning of an attribute's value.
  private boolean opensValue() {
    int before = tag.length() - 2;
    while (before > 0 && isSpace(tag.charAt(before))) {
      before--;
    }
    return tag.charAt(before) == '=';
  }

  private void giveUp(StringBuilder out) {
    out.append(tag);
    tag.setLength(0);
    state = State.TEXT;
  }

  private void complete(StringBuilder out) {
    String name = name();
    if (!raw.isEmpty()) {
      out.append(tag);
      if (tag.charAt(1) == '/' && name.equals(raw)) {
        raw = "";
      }
    } else {
      Set<String> attributes = tag.charAt(1) == '/' ? Set.of() : LINKS.getOrDefault(name, Set.of());
      out.append(attributes.isEmpty() ? tag : rewritten(attributes, name.length() + 1));
      if (tag.charAt(1) != '/' && RAW_TEXT.contains(name)) {
        raw = name;
      }
    }
    tag.setLength(0);
    state = State.TEXT;
  }

  private String name() {
    int from = tag.charAt(1) == '/' ? 2 : 1;
    int end = from;
    while (end < tag.length() && !isSpace(tag.charAt(end)) && "/>".indexOf(tag.charAt(end)) < 0) {
      end++;
    }
    return tag.substring(from, end).toLowerCase(Locale.ROOT);
  }

  private StringBuilder rewritten(Set<String> attributes, int from) {
    StringBuilder out = new StringBuilder(tag.length() + 64).append(tag, 0, from);
    int at = from;
    while (at < tag.length()) {
      int name = skip(at, " \t\r\n\f/");
      int nameEnd = until(name, " \t\r\n\f/=>");
      int equals = skip(nameEnd, " \t\r\n\f");
      if (nameEnd == name || equals >= tag.length() || tag.charAt(equals) != '=') {
        int next = Math.max(nameEnd, at + 1);
        out.append(tag, at, next);
        at = next;
        continue;
      }
      int value = skip(equals + 1, " \t\r\n\f");
      char mark = value < tag.length() ? tag.charAt(value) : '>';
      boolean quoted = mark == '"' || mark == '\'';
      int start = quoted ? value + 1 : value;
      int end = quoted ? until(start, String.valueOf(mark)) : until(start, " \t\r\n\f>");
      String attribute = tag.substring(name, nameEnd).toLowerCase(Locale.ROOT);
      out.append(tag, at, start);
      String text = tag.substring(start, end);
      out.append(attributes.contains(attribute) ? links.rewrite(text) : text);
      at = end;
      if (quoted && at < tag.length()) {
        out.append(tag.charAt(at));
        at++;
      }
    }
    return out;
  }

  private int skip(int from, String these) {
    int at = from;
    while (at < tag.length() && these.indexOf(tag.charAt(at)) >= 0) {
      at++;
    }
    return at;
  }

  private int until(int from, String these) {
    int at = from;
    while (at < tag.length() && these.indexOf(tag.charAt(at)) < 0) {
      at++;
    }
    return at;
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
  }
}
