package io.fairlead.dns.corefile;

import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.ServerBlock;
import io.fairlead.dns.plugin.ServerKey;
import io.fairlead.dns.plugin.SetupException;
import java.util.ArrayList;
import java.util.List;

/// Turns words into server blocks.
///
/// How it works: recursive descent. A block is keys, then directives in braces; the braces may be
/// left out when the file holds a single block. A directive runs to the end of its line, plus a
/// block in braces if one opens there. `(name) { ... }` is a snippet, kept as words for later
/// imports.
final class CorefileParser {
  private static final int MOST_NESTING = 16;

  private final TokenStream words;
  private final int dnsPort;

  CorefileParser(TokenStream words, int dnsPort) {
    this.words = words;
    this.dnsPort = dnsPort;
  }

  Corefile parse() throws SetupException {
    List<ServerBlock> blocks = new ArrayList<>();
    while (words.peek() != null) {
      List<Token> keys = keys();
      if (keys.isEmpty()) {
        continue;
      }
      String name = keys.getFirst().text();
      boolean snippet = keys.size() == 1 && name.startsWith("(") && name.endsWith(")");
      if (snippet) {
        words.define(keys.getFirst(), name.substring(1, name.length() - 1), snippetBody());
      } else {
        blocks.add(serverBlock(keys));
      }
    }
    return new Corefile(blocks, words.fingerprint());
  }

  /// The words before a block. Empty when only an import stood there.
  private List<Token> keys() throws SetupException {
    List<Token> keys = new ArrayList<>();
    boolean another = false;
    for (Token word = words.peek(); word != null; word = words.peek()) {
      if (word.is("{")) {
        if (keys.isEmpty()) {
          throw TokenStream.error(
              word, "Expected the key of a server block, such as .:53, before '{'");
        }
        if (another) {
          throw TokenStream.error(word, "Expected another address but had '{'; remove the comma");
        }
        break;
      }
      if (!keys.isEmpty() && !another && word.startsLine()) {
        break;
      }
      Token taken = words.next();
      if (taken.is("}")) {
        throw TokenStream.error(taken, "Unexpected '}' because no matching opening brace");
      }
      if (taken.is("import") && taken.startsLine() && keys.isEmpty()) {
        words.include(taken);
        continue;
      }
      another = taken.text().endsWith(",");
      for (String part : taken.text().split(",")) {
        if (!part.isEmpty()) {
          keys.add(taken.withText(part));
        }
      }
    }
    if (another) {
      throw TokenStream.error(words.last(), "Expected another address after the comma");
    }
    return keys;
  }

  private ServerBlock serverBlock(List<Token> keys) throws SetupException {
    Token first = keys.getFirst();
    return new ServerBlock(serverKeys(keys), body(), first.file(), first.line());
  }

  private List<ServerKey> serverKeys(List<Token> keys) throws SetupException {
    List<ServerKey> parsed = new ArrayList<>();
    for (Token key : keys) {
      try {
        parsed.addAll(ServerKeyReader.read(key.text(), dnsPort));
      } catch (IllegalArgumentException e) {
        throw TokenStream.error(
            key, "'" + key.text() + "' is not a server block key: " + e.getMessage());
      }
    }
    return parsed;
  }

  private List<Directive> body() throws SetupException {
    Token open = words.peek();
    if (open != null && open.is("{")) {
      return block(0);
    }
    List<Directive> directives = new ArrayList<>();
    for (Token word = words.peek(); word != null; word = words.peek()) {
      add(directives, 0);
    }
    return directives;
  }

  private List<Token> snippetBody() throws SetupException {
    Token open = words.next();
    if (!open.is("{")) {
      throw TokenStream.error(open, "A snippet needs a block in braces");
    }
    List<Token> body = new ArrayList<>();
    int nesting = 1;
    while (true) {
      Token word = words.next();
      nesting += word.is("{") ? 1 : word.is("}") ? -1 : 0;
      if (nesting == 0) {
        return body;
      }
      body.add(word);
    }
  }

  /// The directives of a block; the next word is its opening brace.
  private List<Directive> block(int nesting) throws SetupException {
    Token open = words.next();
    if (nesting > MOST_NESTING) {
      throw TokenStream.error(open, "Blocks are nested deeper than " + MOST_NESTING);
    }
    List<Directive> directives = new ArrayList<>();
    while (true) {
      Token word = words.peek();
      if (word == null) {
        throw TokenStream.error(open, "Unexpected end of file; the block opened here has no '}'");
      }
      if (word.is("}")) {
        words.next();
        return directives;
      }
      add(directives, nesting);
    }
  }

  /// Reads one directive, or makes way for an import.
  private void add(List<Directive> directives, int nesting) throws SetupException {
    Token name = words.next();
    if (name.is("import")) {
      words.include(name);
      return;
    }
    if (name.is("{") || name.is("}")) {
      throw TokenStream.error(
          name, "Unexpected '" + name.text() + "'; expected the name of a plugin or an option");
    }
    List<String> arguments = new ArrayList<>();
    List<Directive> block = List.of();
    for (Token word = words.peek(); word != null; word = words.peek()) {
      if ((word.startsLine() && !word.is("{")) || word.is("}")) {
        break;
      }
      if (word.is("{")) {
        block = block(nesting + 1);
        break;
      }
      arguments.add(words.next().text());
    }
    directives.add(new Directive(name.text(), arguments, block, name.file(), name.line()));
  }
}
