package io.fairlead.app.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The sentences Fairlead says to people, in one language.
///
/// How it works: two property files with the same keys, `{0}`, `{1}`… stand for values. It is not
/// `java.text.MessageFormat`, whose quoting rules turn every apostrophe into a trap and whose
/// classes cost a short command a quarter of its 200 ms. The file is read when the first sentence
/// is said: an instance that starts well in the background says none.
///
/// Safe for all threads.
public final class MessageCatalog {
  private final Language language;
  private @Nullable Properties texts;

  private MessageCatalog(Language language) {
    this.language = language;
  }

  /// The catalogue of a language from the class path.
  public static MessageCatalog of(Language language) {
    return new MessageCatalog(language);
  }

  private synchronized Properties texts() {
    Properties known = texts;
    if (known == null) {
      known = read(language);
      texts = known;
    }
    return known;
  }

  private static Properties read(Language language) {
    Properties texts = new Properties();
    try (InputStream in = MessageCatalog.class.getResourceAsStream(language.resource())) {
      if (in == null) {
        throw new IllegalStateException("no catalogue " + language.resource());
      }
      texts.load(new InputStreamReader(in, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return texts;
  }

  /// The text of a key with its values filled in. An unknown key is a bug and says so.
  public String text(String key, Object... values) {
    String text = texts().getProperty(key);
    if (text == null) {
      throw new IllegalArgumentException("no message " + key);
    }
    return fill(text, values);
  }

  public boolean has(String key) {
    return texts().containsKey(key);
  }

  public Set<String> keys() {
    return new TreeSet<>(texts().stringPropertyNames());
  }

  private String fill(String text, Object[] values) {
    StringBuilder filled = new StringBuilder(text.length() + 32);
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '{'
          && at + 2 < text.length()
          && text.charAt(at + 2) == '}'
          && Character.isDigit(text.charAt(at + 1))) {
        int index = text.charAt(at + 1) - '0';
        filled.append(index < values.length ? said(values[index]) : "");
        at += 3;
      } else {
        filled.append(c);
        at++;
      }
    }
    return filled.toString();
  }

  private Object said(Object value) {
    return value instanceof Phrase phrase ? text(phrase.key(), phrase.values().toArray()) : value;
  }
}
