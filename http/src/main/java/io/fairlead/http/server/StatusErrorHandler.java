package io.fairlead.http.server;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.Status;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// What Jetty itself refuses (a malformed request line, too large headers) also ends in a Status.
final class StatusErrorHandler extends ErrorHandler {
  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int code,
      @Nullable String message,
      @Nullable Throwable cause,
      Callback callback) {
    // The words of an exception are for the log; they may quote what another client sent.
    String text =
        code >= 500 || message == null
            ? code < 500 ? "the request could not be read" : "this is a fault of the server"
            : message;
    Status status = Status.of(code, code < 500 ? "BadRequest" : "InternalError", text);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    response.write(true, ByteBuffer.wrap(Json.bytes(status.toJson())), callback);
  }
}
