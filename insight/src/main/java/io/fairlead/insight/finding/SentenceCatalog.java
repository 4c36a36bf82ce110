package io.fairlead.insight.finding;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The sentences of findings and rows in one language.
///
/// How it works: two property files with the same keys; `{name}` stands for a value. A value that
/// is a word of a closed list has a text of its own: `{what}` of `FL154` with the value `address`
/// is the text `FL154.what.address`, else `what.address`, else the value itself. Such a text is
/// filled with the same values. So documents carry words that programs understand, and screens
/// carry sentences.
///
/// Safe for all threads.
public final class SentenceCatalog {
  /// Texts in texts in texts: more is a circle.
  private static final int DEEPEST = 4;

  private static final Pattern TIME =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z");

  private final String resource;
  private final @Nullable LocalClock clock;
  private @Nullable Properties texts;

  /// How times are shown.
  private record LocalClock(Instant now, ZoneId zone) {
    /// `10:42:07`, with the date when that is not today.
    String shown(Instant at) {
      LocalDateTime local = LocalDateTime.ofInstant(at, zone);
      boolean today = local.toLocalDate().equals(LocalDateTime.ofInstant(now, zone).toLocalDate());
      return (today ? "" : local.toLocalDate() + " ")
          + String.format(
              Locale.ROOT, "%02d:%02d:%02d", local.getHour(), local.getMinute(), local.getSecond());
    }
  }

  private SentenceCatalog(String resource, @Nullable LocalClock clock) {
    this.resource = resource;
    this.clock = clock;
  }

  /// Times stay as documents have them.
  public static SentenceCatalog english() {
    return new SentenceCatalog("findings.properties", null);
  }

  /// Times stay as documents have them.
  public static SentenceCatalog chinese() {
    return new SentenceCatalog("findings_zh_CN.properties", null);
  }

  /// The same with times of day as people in that zone read them.
  public SentenceCatalog localized(Instant now, ZoneId zone) {
    return new SentenceCatalog(resource, new LocalClock(now, zone));
  }

  public Set<String> keys() {
    return new TreeSet<>(texts().stringPropertyNames());
  }

  public boolean has(String key) {
    return texts().containsKey(key);
  }

  /// The text of a key with its placeholders left in.
  public String raw(String key) {
    String text = texts().getProperty(key);
    if (text == null) {
      throw new IllegalArgumentException("no sentence " + key);
    }
    return text;
  }

  /// The sentence in words.
  public String text(Sentence sentence) {
    return fill(sentence.key(), raw(sentence.key()), sentence.values(), 0);
  }

  private String fill(String key, String text, Map<String, String> values, int depth) {
    StringBuilder filled = new StringBuilder(text.length() + 32);
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      int close = c == '{' ? end(text, at) : -1;
      if (close < 0) {
        filled.append(c);
        at++;
        continue;
      }
      String name = text.substring(at + 1, close);
      String value = values.get(name);
      filled.append(
          value == null ? text.substring(at, close + 1) : word(key, name, value, values, depth));
      at = close + 1;
    }
    return filled.toString();
  }

  /// Where a placeholder ends; negative when the brace begins none, as in JSON.
  private static int end(String text, int open) {
    int at = open + 1;
    while (at < text.length() && Character.isLetter(text.charAt(at))) {
      at++;
    }
    return at > open + 1 && at < text.length() && text.charAt(at) == '}' ? at : -1;
  }

  private String word(
      String key, String name, String value, Map<String, String> values, int depth) {
    if (depth < DEEPEST) {
      for (String listed : new String[] {key + "." + name + "." + value, name + "." + value}) {
        String text = texts().getProperty(listed);
        if (text != null) {
          return fill(listed, text, values, depth + 1);
        }
      }
    }
    LocalClock shown = clock;
    return shown != null && TIME.matcher(value).matches()
        ? shown.shown(Instant.parse(value))
        : value;
  }

  private synchronized Properties texts() {
    Properties known = texts;
    if (known == null) {
      known = new Properties();
      try (InputStream in = SentenceCatalog.class.getResourceAsStream(resource)) {
        if (in == null) {
          throw new IllegalStateException("no catalogue " + resource);
        }
        known.load(new InputStreamReader(in, StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      texts = known;
    }
    return known;
  }
}
