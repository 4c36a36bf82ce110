package io.fairlead.agent.stream;

import io.fairlead.agent.spdy.Frame;
import io.fairlead.agent.spdy.SpdyConnection;
import io.fairlead.agent.spdy.SpdyStream;
import io.fairlead.api.json.Json;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.node.ObjectNode;

/// The user behind a SPDY connection: a stream for each channel, named by the header `streamtype`.
final class SpdyChannels implements RemoteCommandChannels {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final SpdyConnection connection;
  private final boolean plainErrors;
  private final List<String> expected;
  private final CountDownLatch missing;
  // Guarded by itself.
  private final Map<String, SpdyStream> streams = new HashMap<>();
  private final TerminalSizeReader sizes = new TerminalSizeReader();
  private final ClientDisconnect departure = new ClientDisconnect();
  private final CountDownLatch over = new CountDownLatch(1);

  /// @param plainErrors the old protocols send failures as text instead of a Status
  SpdyChannels(SpdyConnection connection, List<String> expected, boolean plainErrors) {
    this.connection = connection;
    this.expected = List.copyOf(expected);
    this.plainErrors = plainErrors;
    this.missing = new CountDownLatch(expected.size());
    Tasks.start("spdy", this::read);
  }

  private void read() {
    try {
      connection.serve(this::opened);
    } catch (IOException | UncheckedIOException _) {
      // The user is gone, in whatever way.
    } finally {
      over.countDown();
      departure.happened();
    }
  }

  private void opened(SpdyStream stream) {
    String type = stream.header("streamtype");
    boolean wanted;
    synchronized (streams) {
      wanted = expected.contains(type) && streams.putIfAbsent(type, stream) == null;
    }
    if (!wanted) {
      refuse(stream);
      return;
    }
    if (type.equals("resize")) {
      Tasks.start("resize", () -> sizes.follow(stream.input()));
    }
    missing.countDown();
  }

  private static void refuse(SpdyStream stream) {
    try {
      stream.reset(Frame.Reset.PROTOCOL_ERROR);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Waits until the client has opened all streams.
  ///
  /// @throws TimeoutException when it does not
  void await() throws InterruptedException, TimeoutException {
    if (!missing.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new TimeoutException("the client did not open all streams of " + expected);
    }
  }

  private SpdyStream stream(String type) {
    synchronized (streams) {
      SpdyStream found = streams.get(type);
      if (found == null) {
        throw new IllegalStateException("no stream " + type);
      }
      return found;
    }
  }

  private OutputStream outputOf(String type) {
    return expected.contains(type) ? stream(type).output() : OutputStream.nullOutputStream();
  }

  @Override
  public InputStream input() {
    return expected.contains("stdin") ? stream("stdin").input() : InputStream.nullInputStream();
  }

  @Override
  public OutputStream output() {
    return outputOf("stdout");
  }

  @Override
  public OutputStream error() {
    return outputOf("stderr");
  }

  @Override
  public void onResize(ResizeListener listener) {
    sizes.onResize(listener);
  }

  @Override
  public void onGone(Runnable action) {
    departure.then(action);
  }

  @Override
  public void finish(ObjectNode status) throws IOException {
    OutputStream news = outputOf("error");
    if (!plainErrors) {
      news.write(Json.bytes(status));
    } else if (!Json.textOr(status, "", "status").equals("Success")) {
      news.write(Json.textOr(status, "", "message").getBytes(StandardCharsets.UTF_8));
    }
    for (String type : expected) {
      outputOf(type).close();
    }
  }

  /// Waits for the client to close the connection, which it does once it has read the news, then
  /// closes it.
  void close() throws IOException, InterruptedException {
    over.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    connection.close();
  }
}
