package io.fairlead.agent.cri;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.agent.runtime.AttachedProcess;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.spdy.SpdyConnection;
import io.fairlead.agent.spdy.SpdyStream;
import io.fairlead.api.json.Json;
import io.fairlead.http.message.HttpClientConnection;
import io.fairlead.work.Tasks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// A program in a container of an engine, by the engine's own streaming server: a SPDY connection
/// on which we are the client, with the streams that kubectl would open.
final class StreamedProgram implements AttachedProcess {
  private static final String PROTOCOL = "v4.channel.k8s.io";
  private static final int LONGEST_HEAD = 16 << 10;

  private final SpdyConnection connection;
  private final SpdyStream news;
  private final Optional<SpdyStream> input;
  private final SpdyStream output;
  private final Optional<SpdyStream> error;
  private final Optional<SpdyStream> sizes;

  private StreamedProgram(SpdyConnection connection, boolean input, boolean terminal)
      throws IOException {
    this.connection = connection;
    this.news = open("error");
    this.input = input ? Optional.of(open("stdin")) : Optional.empty();
    this.output = open("stdout");
    this.error = terminal ? Optional.empty() : Optional.of(open("stderr"));
    this.sizes = terminal ? Optional.of(open("resize")) : Optional.empty();
  }

  private SpdyStream open(String type) throws IOException {
    return connection.open(Map.of("streamtype", type));
  }

  /// Begins to speak on a socket to the engine's server.
  static StreamedProgram start(Socket socket, URI url, boolean input, boolean terminal)
      throws IOException {
    try {
      SpdyConnection connection = upgrade(socket, url);
      Tasks.start("engine stream", () -> read(connection));
      return new StreamedProgram(connection, input, terminal);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static void read(SpdyConnection connection) {
    try {
      connection.serve(_ -> {});
    } catch (IOException _) {
      // The streams report it.
    }
  }

  private static SpdyConnection upgrade(Socket socket, URI url) throws IOException {
    HttpClientConnection engine = new HttpClientConnection(socket, LONGEST_HEAD);
    engine.send(
        "POST",
        url.getRawPath() + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery()),
        List.of(
            Map.entry("Host", url.getRawAuthority()),
            Map.entry("Connection", "Upgrade"),
            Map.entry("Upgrade", "SPDY/3.1"),
            Map.entry("X-Stream-Protocol-Version", PROTOCOL),
            Map.entry("Content-Length", "0")));
    if (engine.head().code() != 101) {
      throw new IOException(engine.statusLine());
    }
    return new SpdyConnection(engine.rest(), engine.output());
  }

  @Override
  public OutputStream input() {
    return input.map(SpdyStream::output).orElseGet(OutputStream::nullOutputStream);
  }

  @Override
  public InputStream output() {
    return output.input();
  }

  @Override
  public InputStream error() {
    return error.map(SpdyStream::input).orElseGet(InputStream::nullInputStream);
  }

  @Override
  public void resize(int columns, int rows) {
    sizes.ifPresent(
        stream -> {
          try {
            stream
                .output()
                .write(("{\"Width\":" + columns + ",\"Height\":" + rows + "}\n").getBytes(UTF_8));
          } catch (IOException _) {
            // The program has ended.
          }
        });
  }

  @Override
  public int await() {
    ByteArrayOutputStream status = new ByteArrayOutputStream();
    try {
      news.input().transferTo(status);
    } catch (IOException e) {
      // The engine resets all streams once it has reported the end.
      if (status.size() == 0) {
        throw new RuntimeFailure(
            "RunContainerError", "the engine's streams: " + String.valueOf(e.getMessage()));
      }
    }
    return exitCode(status.toString(UTF_8));
  }

  /// What the engine says about the end: a Status.
  static int exitCode(String status) {
    JsonNode answer;
    try {
      answer = Json.mapper().readTree(status);
    } catch (JacksonException e) {
      throw new RuntimeFailure("RunContainerError", status);
    }
    if (Json.textOr(answer, "", "status").equals("Success")) {
      return 0;
    }
    for (JsonNode cause : Json.at(answer, "details", "causes")) {
      String code = Json.textOr(cause, "", "message");
      if (Json.textOr(cause, "", "reason").equals("ExitCode") && code.matches("[0-9]{1,9}")) {
        return Integer.parseInt(code);
      }
    }
    throw new RuntimeFailure("RunContainerError", Json.textOr(answer, status, "message"));
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (IOException _) {
      // Nothing more can be done with it.
    }
  }
}
