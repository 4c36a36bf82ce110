package io.fairlead.server.http;

import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Hands Jetty's requests to a [RequestHandler].
final class ExchangeHandler extends Handler.Abstract {
  private final RequestHandler handler;
  private final WebSockets webSockets;

  ExchangeHandler(RequestHandler handler, WebSockets webSockets) {
    this.handler = handler;
    this.webSockets = webSockets;
  }

  /// Jetty calls from one of its few platform threads when a request came together with the end of
  /// a TLS handshake. A watch must not keep such a thread: sixty of them would stop the server.
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    if (Thread.currentThread().isVirtual()) {
      serve(request, response, callback);
    } else {
      Thread.ofVirtual().name("request").start(() -> serve(request, response, callback));
    }
    return true;
  }

  private void serve(Request request, Response response, Callback callback) {
    Exchange exchange = new Exchange(request, response, callback, webSockets);
    try {
      handler.handle(exchange);
    } catch (Exception e) {
      callback.failed(e);
      return;
    }
    if (!exchange.isUpgraded()) {
      callback.succeeded();
    }
  }
}
