package io.fairlead.proxy.control;

import io.fairlead.api.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Where a running proxy takes orders: a Unix socket that only its owner may use. One question and
/// one answer, each a line of JSON. One at a time.
public final class ControlSocket implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ControlSocket.class);
  private static final int LONGEST = 64 * 1024;

  private final Path path;
  private final ServerSocketChannel server;
  private final UnaryOperator<ObjectNode> answer;

  private ControlSocket(Path path, ServerSocketChannel server, UnaryOperator<ObjectNode> answer) {
    this.path = path;
    this.server = server;
    this.answer = answer;
  }

  /// Listens at a path, in a directory that is made when it is missing. A socket an earlier process
  /// left is replaced; one that is still answered is not.
  ///
  /// @throws IOException when it cannot be had
  public static ControlSocket open(Path path, UnaryOperator<ObjectNode> answer) throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    if (directory != null && !Files.isDirectory(directory)) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    if (Files.exists(path)) {
      if (isAnswered(path)) {
        throw new IOException(path + ": another proxy answers there");
      }
      Files.delete(path);
    }
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(path));
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      server.close();
      throw e;
    }
    ControlSocket socket = new ControlSocket(path, server, answer);
    Thread.ofPlatform().daemon().name("proxy-control").start(socket::serve);
    return socket;
  }

  private static boolean isAnswered(Path path) {
    try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private void serve() {
    while (server.isOpen()) {
      try (SocketChannel client = server.accept()) {
        write(client, answer.apply(read(client)));
      } catch (IOException | RuntimeException e) {
        if (server.isOpen()) {
          log.atWarn().setCause(e).log("an order was not understood");
        }
      }
    }
  }

  /// Asks the proxy that listens at a path.
  ///
  /// @throws IOException when nobody does
  public static ObjectNode ask(Path path, ObjectNode question) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      write(channel, question);
      return read(channel);
    }
  }

  private static void write(SocketChannel channel, ObjectNode message) throws IOException {
    byte[] line =
        (new String(Json.bytes(message), StandardCharsets.UTF_8) + "\n")
            .getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.wrap(line);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private static ObjectNode read(SocketChannel channel) throws IOException {
    Reader reader =
        new BufferedReader(
            new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
    StringBuilder line = new StringBuilder();
    for (int c = reader.read(); c >= 0 && c != '\n'; c = reader.read()) {
      line.append((char) c);
      if (line.length() > LONGEST) {
        throw new IOException("too long a line");
      }
    }
    if (!(Json.parse(line.toString().getBytes(StandardCharsets.UTF_8))
        instanceof ObjectNode message)) {
      throw new IOException("not an object");
    }
    return message;
  }

  @Override
  public void close() {
    try {
      server.close();
      Files.deleteIfExists(path);
    } catch (IOException e) {
      log.atWarn().setCause(e).log("the control socket is left");
    }
  }
}
