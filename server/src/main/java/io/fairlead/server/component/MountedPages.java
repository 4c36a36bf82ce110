package io.fairlead.server.component;

import io.fairlead.server.http.Exchange;
import io.fairlead.server.paths.PathHandler;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Pages of other components in the same process, under paths of their own. Who may read them is
/// decided as for every path.
public final class MountedPages implements PathHandler {
  private final Map<String, Page> pages = new ConcurrentHashMap<>();

  /// Adds a page; it takes the place of one that was there.
  public void mount(String path, Page page) {
    pages.put(path, page);
  }

  @Override
  public boolean handle(Exchange exchange) throws IOException {
    Page page = pages.get(exchange.path());
    if (page == null) {
      return false;
    }
    ComponentServer.answer(exchange, page);
    return true;
  }
}
