package io.fairlead.dns.cache;

import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.SetupException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/// Reads `serve_stale [DURATION] [immediate [TTL [RECHECK]] | verify [TIMEOUT [TTL [RECHECK]]]]`.
final class ServeStaleReader {
  private static final String USAGE =
      "serve_stale [DURATION] [immediate [TTL [RECHECK]] | verify [TIMEOUT [TTL [RECHECK]]]]";
  private static final Duration WINDOW = Duration.ofHours(1);

  private ServeStaleReader() {}

  static CacheOptions.Stale read(Directive option) throws SetupException {
    DirectiveReader.count(option, 0, 5, USAGE);
    Deque<String> words = new ArrayDeque<>(option.arguments());
    Duration window = WINDOW;
    if (!words.isEmpty() && Character.isDigit(words.peek().charAt(0))) {
      window = DirectiveReader.duration(option, words.remove());
    }
    String mode = words.isEmpty() ? "immediate" : words.remove();
    boolean verify = mode.equals("verify");
    if (!verify && !mode.equals("immediate")) {
      throw option.problem("serve_stale mode '" + mode + "' is unknown; usage: " + USAGE);
    }
    Duration timeout = Duration.ZERO;
    if (verify && !words.isEmpty()) {
      timeout = DirectiveReader.duration(option, words.remove());
    }
    Duration ttl =
        words.isEmpty() ? Duration.ZERO : DirectiveReader.seconds(option, words.remove());
    Duration recheck =
        words.isEmpty() ? Duration.ZERO : DirectiveReader.duration(option, words.remove());
    if (!words.isEmpty()) {
      throw option.problem("too many arguments; usage: " + USAGE);
    }
    int seconds = (int) Math.min(Integer.MAX_VALUE, ttl.toSeconds());
    return new CacheOptions.Stale(window, verify, timeout, seconds, recheck, false);
  }
}
