package io.fairlead.e2e.endpoints;

import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Transport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Notes what is written through a transport.
final class RecordingTransport implements Transport {
  private final Transport real;
  private final List<String> writes = new CopyOnWriteArrayList<>();

  RecordingTransport(Transport real) {
    this.real = real;
  }

  List<String> writes() {
    return List.copyOf(writes);
  }

  @Override
  public ApiResponse send(ApiRequest request) {
    if (!request.method().equals("GET")) {
      writes.add(request.method() + " " + request.path());
    }
    return real.send(request);
  }

  @Override
  public LineStream stream(ApiRequest request) {
    return real.stream(request);
  }

  @Override
  public void close() {
    real.close();
  }
}
