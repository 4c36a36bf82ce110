package io.fairlead.agent.api;

import io.fairlead.agent.runtime.Attached;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.stream.Messages;
import io.fairlead.agent.stream.StreamRequest;
import io.fairlead.agent.stream.Streams;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.client.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/// Serves `/exec`, `/attach` and `/portForward`: finds what is meant, agrees on a protocol with the
/// client, and hands the connection over.
final class StreamPaths {
  private static final String SPDY = "SPDY/3.1";

  private final NodePods pods;
  private final ServerWebSocketContainer webSockets;

  StreamPaths(NodePods pods, ServerWebSocketContainer webSockets) {
    this.pods = pods;
    this.webSockets = webSockets;
  }

  /// Everything after this belongs to the client's protocol, once it is known.
  private record Ways(
      List<String> webSocket,
      List<String> spdy,
      Function<String, Function<Messages, Messages.Receiver>> overWebSocket,
      Function<String, RawConnection.Work> overSpdy) {}

  /// @param path `exec/NAMESPACE/POD[/UID]/CONTAINER` or `portForward/NAMESPACE/POD[/UID]`
  void serve(String what, NodeCall call, List<String> path) {
    if (!call.method().equals("GET") && !call.method().equals("POST")) {
      throw ApiException.methodNotAllowed();
    }
    boolean forward = what.equals("portForward");
    int names = forward ? 3 : 4;
    if (path.size() != names && path.size() != names + 1) {
      throw ApiException.noSuchResource();
    }
    ObjectKey pod = new ObjectKey(path.get(1), path.get(2));
    String uid = path.size() > names ? path.get(3) : "";
    begin(call, forward ? forward(pod, uid) : program(what, call, pod, uid, path.getLast()));
  }

  private Ways forward(ObjectKey pod, String uid) {
    String sandbox = pods.sandbox(pod, uid);
    Streams.Dialer dialer = port -> pods.dial(sandbox, port);
    return new Ways(
        Streams.FORWARD_WEB_SOCKET,
        Streams.FORWARD_SPDY,
        _ -> messages -> Streams.portForward(messages, dialer, pod.name()),
        _ -> (in, out) -> Streams.portForward(in, out, dialer, pod.name()));
  }

  private Ways program(String what, NodeCall call, ObjectKey pod, String uid, String container) {
    StreamRequest asked =
        new StreamRequest(
            call.isOn("input") || call.isOn("stdin"),
            call.isOn("output") || call.isOn("stdout"),
            call.isOn("error") || call.isOn("stderr"),
            call.isOn("tty"));
    if (asked.isEmpty()) {
      throw ApiException.badRequest("you must specify at least 1 of stdin, stdout, stderr");
    }
    List<String> command = call.all("command");
    if (what.equals("exec") && command.isEmpty()) {
      throw ApiException.badRequest("you must specify the command to run: ?command=WORD");
    }
    String running = pods.running(pod, uid, container);
    Streams.Starter starter =
        what.equals("exec")
            ? () -> pods.exec(running, command, asked.input(), asked.terminal())
            : () -> attach(pod, container, asked.input());
    return new Ways(
        Streams.EXEC_WEB_SOCKET,
        Streams.EXEC_SPDY,
        protocol -> messages -> Streams.exec(messages, protocol, asked, starter),
        protocol -> (in, out) -> Streams.exec(in, out, protocol, asked, starter));
  }

  private Attached attach(ObjectKey pod, String container, boolean input) {
    try {
      return pods.attach(pod, container, input);
    } catch (ApiException e) {
      throw new RuntimeFailure("RunContainerError", e.status().message());
    }
  }

  private void begin(NodeCall call, Ways ways) {
    String upgrade = String.valueOf(call.header("Upgrade"));
    if (upgrade.equalsIgnoreCase("websocket")) {
      String protocol = agreed(call, ways.webSocket(), call.words("Sec-WebSocket-Protocol"));
      SocketMessages listener = new SocketMessages(ways.overWebSocket().apply(protocol));
      if (!call.upgrade(webSockets, protocol, listener)) {
        throw ApiException.badRequest("this is no proper WebSocket handshake");
      }
    } else if (upgrade.equalsIgnoreCase(SPDY)) {
      String protocol = agreed(call, ways.spdy(), call.words("X-Stream-Protocol-Version"));
      call.upgrade(SPDY, protocol, ways.overSpdy().apply(protocol));
    } else {
      throw ApiException.badRequest("Upgrade request required");
    }
  }

  /// The best protocol both know; 403 with ours when there is none.
  private static String agreed(NodeCall call, List<String> ours, List<String> offered) {
    Optional<String> chosen = Streams.choose(ours, offered);
    if (chosen.isEmpty()) {
      call.setHeader("X-Accepted-Stream-Protocol-Versions", String.join(",", ours));
      throw new ApiException(
          Status.of(
              403,
              "Forbidden",
              "unable to upgrade: unable to negotiate protocol: client supports "
                  + offered
                  + ", server accepts "
                  + ours));
    }
    return chosen.get();
  }
}
