package io.fairlead.dns.corefile;

import io.fairlead.dns.plugin.SetupException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The words of a Corefile with its imports put in their places.
///
/// How it works: a stack of word lists. An import pushes the words of a snippet or a file; when
/// they are used up reading goes on below. Snippets and files may import in turn, so the number of
/// imports and of words is bounded: a file that imports itself ends with an error instead of never.
///
/// Owned by the thread that parses.
final class TokenStream {
  private static final int MOST_TOKENS = 200_000;
  private static final int MOST_IMPORTS = 1_000;
  private static final int MOST_DEPTH = 50;

  private final CorefileImports sources;
  private final EnvironmentVariables environment;
  private final Deque<Iterator<Token>> open = new ArrayDeque<>();
  private final Map<String, List<Token>> snippets = new HashMap<>();
  private final MessageDigest digest = sha512();
  private @Nullable Token peeked;
  private Token last;
  private int tokens;
  private int imports;

  TokenStream(Path file, String text, CorefileImports sources, EnvironmentVariables environment)
      throws SetupException {
    this.sources = sources;
    this.environment = environment;
    this.last = new Token(file.toString(), 1, true, "", false);
    push(words(file.toString(), text), last);
  }

  /// The next word without taking it; null at the end.
  @Nullable Token peek() throws SetupException {
    while (peeked == null && !open.isEmpty()) {
      if (open.element().hasNext()) {
        Token raw = open.element().next();
        if (++tokens > MOST_TOKENS) {
          throw error(raw, "The configuration has more than " + MOST_TOKENS + " words");
        }
        peeked = raw;
      } else {
        open.remove();
      }
    }
    return peeked;
  }

  /// Takes the next word; the end is an error.
  Token next() throws SetupException {
    Token token = peek();
    if (token == null) {
      throw error(last, "Unexpected end of file; a closing } is missing");
    }
    digest.update(token.text().getBytes(StandardCharsets.UTF_8));
    digest.update((byte) (token.startsLine() ? '\n' : ' '));
    peeked = null;
    last = token;
    return token;
  }

  /// Where reading stands, for errors at the end of the file.
  Token last() {
    return last;
  }

  void define(Token at, String name, List<Token> body) throws SetupException {
    if (snippets.putIfAbsent(name, List.copyOf(body)) != null) {
      throw error(at, "The snippet (" + name + ") is defined twice; rename or remove one");
    }
  }

  /// Puts the words of a snippet or of files where reading stands. `import` itself is already
  /// taken.
  void include(Token at) throws SetupException {
    Token argument = peek();
    if (argument == null || argument.startsLine()) {
      throw error(at, "import needs one argument: a snippet, a file or a pattern");
    }
    Token name = next();
    Token after = peek();
    if (after != null && !after.startsLine() && !after.is("}")) {
      throw error(at, "import takes exactly one argument: a snippet, a file or a pattern");
    }
    if (++imports > MOST_IMPORTS || open.size() > MOST_DEPTH) {
      throw error(at, "Too many imports; does a file or a snippet import itself?");
    }
    unread();
    List<Token> snippet = snippets.get(name.text());
    if (snippet != null) {
      push(snippet, at);
    } else {
      includeFiles(at, name.text());
    }
  }

  /// Gives a looked-at word back, so that imported words come before it.
  private void unread() {
    if (peeked != null) {
      open.push(List.of(peeked).iterator());
      tokens--;
      peeked = null;
    }
  }

  private void includeFiles(Token at, String pattern) throws SetupException {
    try {
      Path base = Path.of(at.file()).toAbsolutePath().getParent();
      Path path = base == null ? Path.of(pattern) : base.resolve(pattern);
      boolean glob = pattern.indexOf('*') >= 0;
      if (pattern.indexOf('*') != pattern.lastIndexOf('*')
          || pattern.indexOf('?') >= 0
          || pattern.indexOf('[') >= 0) {
        throw error(at, "An import pattern may hold one *, and no ? or [: " + pattern);
      }
      List<Path> files = glob ? sources.matching(path) : List.of(path);
      for (int i = files.size() - 1; i >= 0; i--) {
        push(words(files.get(i).toString(), sources.read(files.get(i))), at);
      }
    } catch (IOException | InvalidPathException e) {
      throw error(
          at,
          "Cannot import "
              + pattern
              + ": no snippet has that name, and as a file it cannot be read ("
              + e.getMessage()
              + ")");
    }
  }

  private List<Token> words(String name, String text) throws SetupException {
    List<Token> words = Lexer.tokens(name, text);
    words.replaceAll(word -> word.withText(environment.fill(word.text())));
    return words;
  }

  private void push(List<Token> words, Token at) throws SetupException {
    if (words.size() > MOST_TOKENS) {
      throw error(at, "The configuration has more than " + MOST_TOKENS + " words");
    }
    if (!words.isEmpty()) {
      List<Token> copy = new ArrayList<>(words);
      copy.set(0, copy.getFirst().startingLine());
      open.push(copy.iterator());
    }
  }

  String fingerprint() {
    return HexFormat.of().formatHex(digest.digest());
  }

  static SetupException error(Token at, String problem) {
    return new SetupException(at.file(), at.line(), problem);
  }

  private static MessageDigest sha512() {
    try {
      return MessageDigest.getInstance("SHA-512");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-512", e);
    }
  }
}
