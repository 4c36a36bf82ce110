package io.fairlead.e2e.endpoints;

import io.fairlead.client.transport.Answer;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Request;
import io.fairlead.client.transport.Transport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Notes what is written through a transport.
final class NotedWrites implements Transport {
  private final Transport real;
  private final List<String> writes = new CopyOnWriteArrayList<>();

  NotedWrites(Transport real) {
    this.real = real;
  }

  List<String> writes() {
    return List.copyOf(writes);
  }

  @Override
  public Answer send(Request request) {
    if (!request.method().equals("GET")) {
      writes.add(request.method() + " " + request.path());
    }
    return real.send(request);
  }

  @Override
  public LineStream stream(Request request) {
    return real.stream(request);
  }

  @Override
  public void close() {
    real.close();
  }
}
