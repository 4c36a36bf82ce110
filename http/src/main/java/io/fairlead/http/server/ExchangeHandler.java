package io.fairlead.http.server;

import io.fairlead.work.Tasks;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// Hands Jetty's requests to a [RequestHandler].
final class ExchangeHandler extends Handler.Abstract {
  private final RequestHandler handler;
  private final @Nullable WebSockets webSockets;

  ExchangeHandler(RequestHandler handler, @Nullable WebSockets webSockets) {
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
      Tasks.start("request", () -> serve(request, response, callback));
    }
    return true;
  }

  private void serve(Request request, Response response, Callback callback) {
    HttpServerExchange exchange = new HttpServerExchange(request, response, callback, webSockets);
    try {
      handler.handle(exchange);
    } catch (Throwable e) {
      // An Error too: without a call back the client would wait for ever.
      callback.failed(e);
      return;
    }
    if (!exchange.isUpgraded()) {
      callback.succeeded();
    }
  }
}
