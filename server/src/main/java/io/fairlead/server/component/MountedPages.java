package io.fairlead.server.component;

import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.http.server.RequestHandler;
import io.fairlead.server.auth.UserInfo;
import io.fairlead.server.paths.PathHandler;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Pages of other components in the same process, under paths of their own. Who may read them is
/// decided as for every path.
public final class MountedPages implements PathHandler {
  private final Map<String, ComponentPage> pages = new ConcurrentHashMap<>();
  private final Map<String, UserPage> userPages = new ConcurrentHashMap<>();

  private volatile @Nullable BrowserPages browserPages;

  /// Pages for browsers, which are open to all and have sessions of their own.
  private record BrowserPages(String path, RequestHandler handler) {}

  /// Serves that path and all below it without asking who wants them.
  public void mountForBrowsers(String path, RequestHandler handler) {
    browserPages = new BrowserPages(path, handler);
  }

  /// The pages for browsers, if the path is one of theirs.
  public Optional<RequestHandler> forBrowsers(String path) {
    BrowserPages mounted = browserPages;
    return mounted != null && (path.equals(mounted.path()) || path.startsWith(mounted.path() + "/"))
        ? Optional.of(mounted.handler())
        : Optional.empty();
  }

  /// Adds a page; it takes the place of one that was there.
  public void mount(String path, ComponentPage page) {
    pages.put(path, page);
  }

  /// Adds one that depends on who asks.
  public void mount(String path, UserPage page) {
    userPages.put(path, page);
  }

  @Override
  public boolean handle(HttpServerExchange exchange, UserInfo user) throws IOException {
    UserPage page = userPages.get(exchange.path());
    if (page == null) {
      return handle(exchange);
    }
    page.answer(exchange, user);
    return true;
  }

  @Override
  public boolean handle(HttpServerExchange exchange) throws IOException {
    ComponentPage page = pages.get(exchange.path());
    if (page == null) {
      return false;
    }
    ComponentServer.answer(exchange, page);
    return true;
  }
}
