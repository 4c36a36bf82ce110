package io.fairlead.http.server;

import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/// A connection that has left HTTP behind: two blocking streams for a thread of its own. It is
/// closed when that thread's work ends.
final class UpgradedConnection extends AbstractConnection implements Connection.UpgradeTo {
  static final Duration IDLE = Duration.ofHours(4);

  private static final int BUFFER = 32 << 10;

  private final UpgradeHandler work;
  private final ByteBuffer received = BufferUtil.allocate(BUFFER);

  UpgradedConnection(EndPoint endPoint, Executor executor, UpgradeHandler work) {
    super(endPoint, executor);
    this.work = work;
  }

  /// Bytes that came together with the request.
  @Override
  public void onUpgradeTo(ByteBuffer early) {
    BufferUtil.append(received, early);
  }

  @Override
  public void onOpen() {
    super.onOpen();
    getEndPoint().setIdleTimeout(IDLE.toMillis());
    Tasks.start("raw connection", this::run);
  }

  private void run() {
    try {
      work.run(new Input(), new Output());
    } catch (Exception e) {
      getEndPoint().close(e);
    } finally {
      close();
    }
  }

  /// Reading waits by itself.
  @Override
  public void onFillable() {}

  private static void await(CompletableFuture<?> done) throws IOException {
    try {
      done.get();
    } catch (ExecutionException e) {
      throw new IOException("the client is gone", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a client was waited for");
    }
  }

  private final class Input extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      while (!received.hasRemaining()) {
        BufferUtil.clear(received);
        int count = getEndPoint().fill(received);
        if (count < 0) {
          return -1;
        }
        if (count == 0) {
          Callback.Completable ready = new Callback.Completable();
          getEndPoint().fillInterested(ready);
          await(ready);
        }
      }
      int size = Math.min(length, received.remaining());
      received.get(bytes, offset, size);
      return size;
    }

    @Override
    public void close() {
      UpgradedConnection.this.close();
    }
  }

  private final class Output extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      Callback.Completable sent = new Callback.Completable();
      getEndPoint().write(sent, ByteBuffer.wrap(bytes, offset, length));
      await(sent);
    }

    @Override
    public void close() {
      getEndPoint().shutdownOutput();
    }
  }
}
