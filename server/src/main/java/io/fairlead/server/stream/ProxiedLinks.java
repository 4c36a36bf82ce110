package io.fairlead.server.stream;

import java.util.Locale;
import java.util.Set;

/// Keeps the links of a proxied page inside the proxy: `/style.css` of a pod's page becomes
/// `/api/v1/namespaces/default/pods/web/proxy/style.css`. Relative links and those to other hosts
/// stay as they are. Pure.
final class ProxiedLinks {
  /// Changes nothing, for answers that are no pages.
  static final ProxiedLinks NONE = new ProxiedLinks("", Set.of());

  private final String prefix;
  private final Set<String> hosts;

  private ProxiedLinks(String prefix, Set<String> hosts) {
    this.prefix = prefix;
    this.hosts = hosts;
  }

  /// @param prefix the path up to `proxy`, without a slash at its end
  /// @param host of the page, an address of IPv6 in brackets
  static ProxiedLinks of(String prefix, String host, int port) {
    String with = host.toLowerCase(Locale.ROOT) + ":" + port;
    boolean usual = port == 80 || port == 443;
    return new ProxiedLinks(
        prefix
            .replace("\"", "%22")
            .replace("'", "%27")
            .replace("<", "%3C")
            .replace(">", "%3E")
            .replace(" ", "%20"),
        usual ? Set.of(with, host.toLowerCase(Locale.ROOT)) : Set.of(with));
  }

  boolean isNone() {
    return prefix.isEmpty();
  }

  /// The link as a page behind the proxy has it.
  String rewrite(String link) {
    if (isNone()) {
      return link;
    }
    String path = pathOnThisHost(link);
    if (!path.startsWith("/")) {
      return link;
    }
    boolean inside =
        path.startsWith(prefix)
            && (path.length() == prefix.length()
                || "/?#".indexOf(path.charAt(prefix.length())) >= 0);
    return inside ? path : prefix + path;
  }

  /// Path, query and fragment of a link to the page's host; empty for other hosts and relative
  /// links.
  private String pathOnThisHost(String link) {
    int authority;
    if (link.startsWith("//")) {
      authority = 2;
    } else if (link.startsWith("/")) {
      return link;
    } else if (link.regionMatches(true, 0, "http://", 0, 7)) {
      authority = 7;
    } else if (link.regionMatches(true, 0, "https://", 0, 8)) {
      authority = 8;
    } else {
      return "";
    }
    int end = authority;
    while (end < link.length() && "/?#".indexOf(link.charAt(end)) < 0) {
      end++;
    }
    if (!hosts.contains(link.substring(authority, end).toLowerCase(Locale.ROOT))) {
      return "";
    }
    String path = link.substring(end);
    return path.startsWith("/") ? path : "/" + path;
  }
}
