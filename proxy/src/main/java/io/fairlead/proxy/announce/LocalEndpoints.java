package io.fairlead.proxy.announce;

import java.util.Locale;

/// What endpoints a node has for an address whose traffic must stay on the node. Later ones are
/// better.
enum LocalEndpoints {
  NONE,
  /// Only ones that end and still serve.
  TERMINATING,
  READY;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Anything unknown is none.
  static LocalEndpoints of(String word) {
    for (LocalEndpoints one : values()) {
      if (one.word().equals(word)) {
        return one;
      }
    }
    return NONE;
  }
}
