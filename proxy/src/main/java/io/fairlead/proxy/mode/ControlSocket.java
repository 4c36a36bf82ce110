package io.fairlead.proxy.mode;

import io.fairlead.api.json.Json;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Tasks;
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
import java.nio.file.attribute.UserPrincipal;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// Where a running proxy, or another component of a node, takes requests: a Unix socket that only
/// its owner may use. One request and one answer, each a line of JSON. A loop, `proxy-control`,
/// serves one at a time; questions, which may take long, get a thread each, a few at once.
///
/// The file's mode keeps other users out. The kernel is asked all the same who is at the other end:
/// a process that was handed a descriptor is not this socket's user.
public final class ControlSocket implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ControlSocket.class);
  private static final int LONGEST = 64 * 1024;
  private static final int LONGEST_ANSWER = 4 << 20;
  private static final int QUESTIONS_AT_ONCE = 32;

  private final Path path;
  private final ServerSocketChannel server;
  private final UnaryOperator<ObjectNode> answer;
  private final SupervisedLoop loop;
  private final Semaphore questions = new Semaphore(QUESTIONS_AT_ONCE);

  private ControlSocket(
      Path path, String name, ServerSocketChannel server, UnaryOperator<ObjectNode> answer) {
    this.path = path;
    this.server = server;
    this.answer = answer;
    // A request in progress ends by itself: what it writes must not be interrupted.
    this.loop = SupervisedLoop.of(name).platform().stopBy(this::closeServer).build(this::serve);
  }

  /// Listens at a path, in a directory that is made when it is missing. A socket an earlier process
  /// left is replaced; one that is still answered is not.
  ///
  /// @throws IOException when it cannot be had
  public static ControlSocket open(Path path, UnaryOperator<ObjectNode> answer) throws IOException {
    return open(path, "proxy-control", answer);
  }

  /// The same for another component.
  ///
  /// @param loop the name of its loop
  public static ControlSocket open(Path path, String loop, UnaryOperator<ObjectNode> answer)
      throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    if (directory != null && !Files.isDirectory(directory)) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    if (Files.exists(path)) {
      if (isAnswered(path)) {
        throw new IOException(path + ": another process answers there");
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
    ControlSocket socket = new ControlSocket(path, loop, server, answer);
    socket.loop.start();
    return socket;
  }

  private static boolean isAnswered(Path path) {
    try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private void serve() throws IOException {
    SocketChannel client = server.accept();
    boolean handedOver = false;
    try {
      if (!isOwner(client)) {
        log.atWarn().log("a request came from a user who does not own the control socket");
        return;
      }
      ObjectNode request = read(client, LONGEST);
      if (ControlRequestHandler.isQuestion(request) && questions.tryAcquire()) {
        Thread _ = Tasks.startPlatform("control-question", () -> question(client, request));
        handedOver = true;
      } else {
        write(client, answer.apply(request));
      }
    } catch (IOException | JacksonException e) {
      log.atWarn().setCause(e).log("a request was not understood");
    } finally {
      if (!handedOver) {
        client.close();
      }
    }
  }

  private void question(SocketChannel client, ObjectNode request) throws IOException {
    try (client) {
      write(client, answer.apply(request));
    } finally {
      questions.release();
    }
  }

  private boolean isOwner(SocketChannel client) throws IOException {
    UserPrincipal peer = client.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
    return peer.getName().equals("root") || peer.equals(Files.getOwner(path));
  }

  /// Asks the process that listens at a path.
  ///
  /// @throws IOException when no process listens there
  public static ObjectNode ask(Path path, ObjectNode question) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      write(channel, question);
      return read(channel, LONGEST_ANSWER);
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

  private static ObjectNode read(SocketChannel channel, int longest) throws IOException {
    Reader reader =
        new BufferedReader(
            new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
    StringBuilder line = new StringBuilder();
    for (int c = reader.read(); c >= 0 && c != '\n'; c = reader.read()) {
      line.append((char) c);
      if (line.length() > longest) {
        throw new IOException("the line is too long");
      }
    }
    if (!(Json.parse(line.toString().getBytes(StandardCharsets.UTF_8))
        instanceof ObjectNode message)) {
      throw new IOException("not an object");
    }
    return message;
  }

  private void closeServer() {
    try {
      server.close();
    } catch (IOException e) {
      log.atWarn().setCause(e).log("the control socket was not closed");
    }
  }

  /// Serves no further request; waits for one in progress.
  @Override
  public void close() {
    loop.close();
    closeServer();
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      log.atWarn().setCause(e).log("the control socket's file stays");
    }
  }
}
