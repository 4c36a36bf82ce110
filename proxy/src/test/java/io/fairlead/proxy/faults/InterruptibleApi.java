package io.fairlead.proxy.faults;

import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Transport;
import java.util.concurrent.atomic.AtomicInteger;

/// The way to an API that can be cut and mended. While it is cut, every call fails at once and the
/// API itself works on for others.
public final class InterruptibleApi implements Transport {
  private final FakeApi api;
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger lists = new AtomicInteger();
  private volatile boolean away;

  public InterruptibleApi(FakeApi api) {
    this.api = api;
  }

  public void cut() {
    away = true;
    api.endWatches();
  }

  public void mend() {
    away = false;
  }

  /// How many calls failed so far.
  int refused() {
    return refused.get();
  }

  /// How many whole lists were asked for.
  int lists() {
    return lists.get();
  }

  private void check(ApiRequest request) {
    if (away) {
      refused.incrementAndGet();
      throw new ConnectionException("the API is away: " + request.path());
    }
  }

  @Override
  public ApiResponse send(ApiRequest request) {
    check(request);
    if (request.method().equals("GET")) {
      lists.incrementAndGet();
    }
    return api.send(request);
  }

  @Override
  public LineStream stream(ApiRequest request) {
    check(request);
    return api.stream(request);
  }

  @Override
  public void close() {
    // The API belongs to the test.
  }
}
