package io.fairlead.http.server;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// The body of an answer to a client that may stop reading. Each write goes to the network at once
/// and waits for the client with [WriteTimeout]. Belongs to the request's thread; after a failure
/// the answer is over.
final class WriteTimeoutOutputStream extends OutputStream {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private final Response response;
  private final BooleanSupplier isOverdue;
  private boolean over;

  WriteTimeoutOutputStream(Response response, BooleanSupplier isOverdue) {
    this.response = response;
    this.isOverdue = isOverdue;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    write(false, ByteBuffer.wrap(bytes, offset, length));
  }

  /// Sends the headers when nothing has been sent yet.
  @Override
  public void flush() throws IOException {
    if (!over) {
      write(false, NOTHING.slice());
    }
  }

  @Override
  public void close() throws IOException {
    if (!over) {
      write(true, NOTHING.slice());
      over = true;
    }
  }

  private void write(boolean last, ByteBuffer bytes) throws IOException {
    if (over) {
      throw new IOException("the answer is over");
    }
    Callback.Completable done = new Callback.Completable();
    response.write(last, bytes, done);
    try {
      WriteTimeout.await(done, isOverdue);
    } catch (InterruptedException e) {
      over = true;
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a client was waited for");
    } catch (IOException e) {
      over = true;
      throw e;
    }
  }
}
