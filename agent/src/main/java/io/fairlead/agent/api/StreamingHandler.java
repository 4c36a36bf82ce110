package io.fairlead.agent.api;

import io.fairlead.agent.runtime.AttachedProcess;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.stream.StreamRequest;
import io.fairlead.agent.stream.StreamingServer;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.client.ObjectKey;
import io.fairlead.http.server.MessageConnection;
import io.fairlead.http.server.UpgradeHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Serves `/exec`, `/attach` and `/portForward`: finds what is meant, agrees on a protocol with the
/// client, and hands the connection over.
final class StreamingHandler {
  private static final String SPDY = "SPDY/3.1";

  /// A channel's number is one byte, of a text message one digit.
  private static final int MOST_PORTS = 64;

  private final NodePods pods;

  StreamingHandler(NodePods pods) {
    this.pods = pods;
  }

  /// Everything after this belongs to the client's protocol, once it is known.
  private record Ways(
      List<String> webSocket,
      List<String> spdy,
      Function<String, Function<MessageConnection, MessageConnection.Receiver>> overWebSocket,
      Function<String, UpgradeHandler> overSpdy) {}

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
    begin(call, forward ? forward(call, pod, uid) : program(what, call, pod, uid, path.getLast()));
  }

  private Ways forward(NodeCall call, ObjectKey pod, String uid) {
    String sandbox = pods.sandbox(pod, uid);
    StreamingServer.Dialer dialer = port -> pods.dial(sandbox, port);
    return new Ways(
        StreamingServer.FORWARD_WEB_SOCKET,
        StreamingServer.FORWARD_SPDY,
        protocol -> {
          if (protocol.equals(StreamingServer.FORWARD_TUNNEL)) {
            return messages -> StreamingServer.portForward(messages, dialer, pod.name());
          }
          List<Integer> ports = ports(call);
          return messages ->
              StreamingServer.portForward(messages, protocol, dialer, pod.name(), ports);
        },
        _ -> (in, out) -> StreamingServer.portForward(in, out, dialer, pod.name()));
  }

  /// The ports that channels are for: `port=80&port=81` or `port=80,81`.
  private static List<Integer> ports(NodeCall call) {
    List<Integer> ports = new ArrayList<>();
    for (String value : call.all("port")) {
      for (String port : value.split(",", -1)) {
        int number = port.matches("[0-9]{1,5}") ? Integer.parseInt(port) : 0;
        if (number < 1 || number > 0xffff) {
          throw ApiException.badRequest("unable to parse \"" + port + "\" as a port");
        }
        ports.add(number);
      }
    }
    if (ports.isEmpty() || ports.size() > MOST_PORTS) {
      throw ApiException.badRequest(
          "query parameter \"port\" is required, at most " + MOST_PORTS + " times");
    }
    return ports;
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
    StreamingServer.ProcessStarter starter =
        what.equals("exec")
            ? () -> pods.exec(running, command, asked.input(), asked.terminal())
            : () -> attach(pod, container, asked.input());
    return new Ways(
        StreamingServer.EXEC_WEB_SOCKET,
        StreamingServer.EXEC_SPDY,
        protocol -> messages -> StreamingServer.exec(messages, protocol, asked, starter),
        protocol -> (in, out) -> StreamingServer.exec(in, out, protocol, asked, starter));
  }

  private AttachedProcess attach(ObjectKey pod, String container, boolean input) {
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
      if (!call.upgrade(protocol, ways.overWebSocket().apply(protocol))) {
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
    Optional<String> chosen = StreamingServer.choose(ours, offered);
    if (chosen.isEmpty()) {
      List<String> named = ours.stream().filter(protocol -> !protocol.isEmpty()).toList();
      call.setHeader("X-Accepted-Stream-Protocol-Versions", String.join(",", named));
      throw new ApiException(
          Status.of(
              403,
              "Forbidden",
              "unable to upgrade: unable to negotiate protocol: client supports "
                  + offered
                  + ", server accepts "
                  + named));
    }
    return chosen.get();
  }
}
