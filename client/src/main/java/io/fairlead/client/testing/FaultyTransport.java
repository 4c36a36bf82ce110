package io.fairlead.client.testing;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Transport;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/// A transport with faults on the line to another: requests and answers get lost, the server
/// refuses, watches stall, or there is no server at all. Safe for any thread; the faults may change
/// while it is used.
///
/// It does not own the other transport: closing it does nothing.
public final class FaultyTransport implements Transport {
  private final Transport real;
  private volatile boolean cut;
  private volatile Consumer<ApiRequest> onRequest = _ -> {};
  private volatile Consumer<ApiRequest> onAnswer = _ -> {};
  private volatile BiFunction<ApiRequest, LineStream, LineStream> onWatch = (_, lines) -> lines;

  /// Without faults, until it is given some.
  public FaultyTransport(Transport real) {
    this.real = real;
  }

  /// To a server that is not there.
  public static FaultyTransport unreachable() {
    FaultyTransport transport =
        new FaultyTransport(
            new Transport() {
              @Override
              public ApiResponse send(ApiRequest request) {
                throw new IllegalStateException("the line is cut");
              }

              @Override
              public LineStream stream(ApiRequest request) {
                throw new IllegalStateException("the line is cut");
              }

              @Override
              public void close() {}
            });
    transport.cut(true);
    return transport;
  }

  /// Whether no request and no watch gets through. Watches that run go on.
  public void cut(boolean now) {
    cut = now;
  }

  /// What happens to each request but watches before it is sent: a `ConnectionException` is one
  /// that is lost, an `ApiException` what the server says to it.
  public FaultyTransport onRequest(Consumer<ApiRequest> fault) {
    onRequest = fault;
    return this;
  }

  /// What happens when the server has done what it was asked for: a `ConnectionException` is an
  /// answer that is lost.
  public FaultyTransport onAnswer(Consumer<ApiRequest> fault) {
    onAnswer = fault;
    return this;
  }

  /// What a watch becomes.
  public FaultyTransport onWatch(BiFunction<ApiRequest, LineStream, LineStream> fault) {
    onWatch = fault;
    return this;
  }

  @Override
  public ApiResponse send(ApiRequest request) {
    checkLine(request);
    try {
      onRequest.accept(request);
    } catch (ApiException e) {
      return new ApiResponse(e.status().code(), Json.bytes(e.status().toJson()));
    }
    ApiResponse answer = real.send(request);
    onAnswer.accept(request);
    return answer;
  }

  @Override
  public LineStream stream(ApiRequest request) {
    checkLine(request);
    return onWatch.apply(request, real.stream(request));
  }

  private void checkLine(ApiRequest request) {
    if (cut) {
      throw new ConnectionException("cut: " + request.path());
    }
  }

  @Override
  public void close() {}
}
