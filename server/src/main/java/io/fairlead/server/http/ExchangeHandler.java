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

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Exchange exchange = new Exchange(request, response, callback, webSockets);
    try {
      handler.handle(exchange);
    } catch (Exception e) {
      callback.failed(e);
      return true;
    }
    if (!exchange.isUpgraded()) {
      callback.succeeded();
    }
    return true;
  }
}
