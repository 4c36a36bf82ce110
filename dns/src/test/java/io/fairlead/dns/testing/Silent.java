package io.fairlead.dns.testing;

import io.fairlead.client.transport.Answer;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Request;
import io.fairlead.client.transport.Transport;

/// An API server that is not there.
public final class Silent implements Transport {
  @Override
  public Answer send(Request request) {
    throw new ConnectionException("nobody there");
  }

  @Override
  public LineStream stream(Request request) {
    throw new ConnectionException("nobody there");
  }

  @Override
  public void close() {}
}
