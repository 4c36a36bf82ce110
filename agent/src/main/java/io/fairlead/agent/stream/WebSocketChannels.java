package io.fairlead.agent.stream;

import io.fairlead.agent.pipe.BlockOutput;
import io.fairlead.agent.pipe.Pipe;
import io.fairlead.api.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The user behind a WebSocket: the first byte of each message says which channel it belongs to.
/// With `v5.channel.k8s.io` the message `255 N` says that channel N has ended.
final class WebSocketChannels implements Channels, Messages.Receiver {
  static final String V5 = "v5.channel.k8s.io";
  static final String V4 = "v4.channel.k8s.io";

  private static final int INPUT = 0;
  private static final int OUTPUT = 1;
  private static final int ERROR = 2;
  private static final int NEWS = 3;
  private static final int RESIZE = 4;
  private static final int CLOSE = 255;
  private static final int NONE = -1;

  private final Messages messages;
  private final boolean closes;
  private final Pipe typed = new Pipe();
  private final Pipe resized = new Pipe();
  private final Sizes sizes = new Sizes();
  private final Departure departure = new Departure();
  // Of the thread that delivers, one at a time.
  private int channel = NONE;

  /// @param protocol [#V5] or [#V4]
  WebSocketChannels(Messages messages, String protocol) {
    this.messages = messages;
    this.closes = protocol.equals(V5);
    Thread.ofVirtual().name("resize").start(() -> sizes.follow(resized.input()));
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
  public void screen(Screen screen) {
    sizes.screen(screen);
  }

  @Override
  public void onGone(Runnable action) {
    departure.then(action);
  }

  @Override
  public void finish(ObjectNode status) throws IOException {
    try (OutputStream news = new Channel(NEWS)) {
      news.write(Json.bytes(status));
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
