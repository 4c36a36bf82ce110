package io.fairlead.dns.corefile;

import io.fairlead.dns.plugin.ServerBlock;
import io.fairlead.dns.plugin.SetupException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A configuration of the DNS server, as read.
///
/// @param fingerprint of all words, imports included. It stays the same when only comments and
///   blanks change, so that a reload knows whether anything changed.
public record Corefile(List<ServerBlock> blocks, String fingerprint) {
  public Corefile {
    blocks = List.copyOf(blocks);
  }

  /// Reads a configuration.
  ///
  /// @param file where the text came from: shown in errors, and imports are relative to it
  /// @param dnsPort for keys without a port
  /// @param sources the files it may import
  /// @param variables the environment; null for a name that is not set
  public static Corefile parse(
      Path file,
      String text,
      int dnsPort,
      CorefileImports sources,
      UnaryOperator<@Nullable String> variables)
      throws SetupException {
    TokenStream words = new TokenStream(file, text, sources, new EnvironmentVariables(variables));
    return new CorefileParser(words, dnsPort).parse();
  }
}
