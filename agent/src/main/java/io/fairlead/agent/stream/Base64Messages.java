package io.fairlead.agent.stream;

import io.fairlead.http.server.MessageConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Channels for clients that can only send text: a message is the channel's digit and the bytes in
/// Base64. The other side of this class has the same messages in binary.
final class Base64Messages implements MessageConnection, MessageConnection.Receiver {
  private static final int LARGEST_MESSAGE = 1 << 20;

  private final MessageConnection texts;
  private final Receiver receiver;
  // Of the thread that delivers, one at a time.
  private final StringBuilder message = new StringBuilder();

  private Base64Messages(MessageConnection texts, Function<MessageConnection, Receiver> opened) {
    this.texts = texts;
    this.receiver = opened.apply(this);
  }

  /// The receiver of texts for what speaks binary messages.
  static Receiver over(MessageConnection texts, Function<MessageConnection, Receiver> opened) {
    return new Base64Messages(texts, opened);
  }

  @Override
  public boolean takesText() {
    return true;
  }

  @Override
  public void text(String part, boolean last) throws IOException {
    message.append(part);
    if (message.length() > LARGEST_MESSAGE) {
      throw new IOException("a message of more than " + LARGEST_MESSAGE + " characters");
    }
    if (!last || message.isEmpty()) {
      return;
    }
    byte[] content;
    try {
      content = Base64.getDecoder().decode(message.substring(1));
    } catch (IllegalArgumentException e) {
      throw new IOException("a message that is no Base64", e);
    }
    byte[] binary = new byte[content.length + 1];
    binary[0] = (byte) (message.charAt(0) - '0');
    System.arraycopy(content, 0, binary, 1, content.length);
    message.setLength(0);
    receiver.part(binary, true);
  }

  /// The same characters, sent as binary by some clients.
  @Override
  public void part(byte[] bytes, boolean last) throws IOException {
    text(new String(bytes, StandardCharsets.ISO_8859_1), last);
  }

  @Override
  public void gone(@Nullable Throwable why) {
    receiver.gone(why);
  }

  @Override
  public void send(byte[] binary) throws IOException {
    byte[] content = new byte[binary.length - 1];
    System.arraycopy(binary, 1, content, 0, content.length);
    texts.sendText((char) ('0' + binary[0]) + Base64.getEncoder().encodeToString(content));
  }

  @Override
  public void sendText(String text) throws IOException {
    texts.sendText(text);
  }

  @Override
  public void close() {
    texts.close();
  }
}
