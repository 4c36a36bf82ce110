package io.fairlead.agent.stream;

import io.fairlead.agent.pipe.BlockOutput;
import io.fairlead.agent.pipe.BoundedPipe;
import io.fairlead.api.json.Json;
import io.fairlead.http.server.MessageConnection;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The user behind a WebSocket: the first byte of each message says which channel it belongs to.
/// With `v5.channel.k8s.io` the message `255 N` says that channel N has ended. Before `v4` the news
/// of the end is a sentence, and there is none of a success.
final class WebSocketChannels implements RemoteCommandChannels, MessageConnection.Receiver {
  static final String V5 = "v5.channel.k8s.io";
  static final String V4 = "v4.channel.k8s.io";
  static final String V4_BASE64 = "v4.base64.channel.k8s.io";
  static final String V1 = "channel.k8s.io";
  static final String V1_BASE64 = "base64.channel.k8s.io";

  private static final int INPUT = 0;
  private static final int OUTPUT = 1;
  private static final int ERROR = 2;
  private static final int NEWS = 3;
  private static final int RESIZE = 4;
  private static final int CLOSE = 255;
  private static final int NONE = -1;

  private final MessageConnection messages;
  private final boolean closes;
  private final boolean tellsStatus;
  private final BoundedPipe typed = new BoundedPipe();
  private final BoundedPipe resized = new BoundedPipe();
  private final TerminalSizeReader sizes = new TerminalSizeReader();
  private final ClientDisconnect departure = new ClientDisconnect();
  // Of the thread that delivers, one at a time.
  private int channel = NONE;

  /// @param protocol [#V5], [#V4] or an older one
  WebSocketChannels(MessageConnection messages, String protocol) {
    this.messages = messages;
    this.closes = protocol.equals(V5);
    this.tellsStatus = closes || protocol.equals(V4) || protocol.equals(V4_BASE64);
    Tasks.start("resize", () -> sizes.follow(resized.input()));
  }

  @Override
  public void part(byte[] bytes, boolean last) throws IOException {
    int start = 0;
    if (channel == NONE && bytes.length > 0) {
      channel = bytes[0] & 0xff;
      start = 1;
    }
    int length = bytes.length - start;
    if (length > 0) {
      switch (channel) {
        case INPUT -> typed.write(bytes, start, length);
        case RESIZE -> resized.write(bytes, start, length);
        case CLOSE -> close(bytes[start] & 0xff);
        default -> {
          // Nothing else is the user's to say.
        }
      }
    }
    if (last) {
      channel = NONE;
    }
  }

  private void close(int ended) {
    if (closes && ended == INPUT) {
      typed.finish();
    }
  }

  @Override
  public void gone(@Nullable Throwable why) {
    typed.fail(new IOException("the user is gone", why));
    resized.finish();
    departure.happened();
  }

  @Override
  public InputStream input() {
    return typed.input();
  }

  @Override
  public OutputStream output() {
    return new Channel(OUTPUT);
  }

  @Override
  public OutputStream error() {
    return new Channel(ERROR);
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
    if (tellsStatus) {
      new Channel(NEWS).write(Json.bytes(status));
    } else if (!Json.textOr(status, "", "status").equals("Success")) {
      new Channel(NEWS).write(Json.textOr(status, "", "message").getBytes(StandardCharsets.UTF_8));
    }
    // Nothing reads what the user still types; the WebSocket must get through to their farewell.
    typed.input().close();
    messages.close();
  }

  private final class Channel extends BlockOutput {
    private final int number;

    Channel(int number) {
      this.number = number;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      byte[] message = new byte[length + 1];
      message[0] = (byte) number;
      System.arraycopy(bytes, offset, message, 1, length);
      messages.send(message);
    }
  }
}
