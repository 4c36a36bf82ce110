package io.fairlead.agent.probe;

import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.HandlerAction;
import io.fairlead.agent.runtime.ContainerRuntime;
import io.fairlead.agent.runtime.ExecResult;
import io.fairlead.agent.runtime.RuntimeFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;

/// Asks one question of one container, from the node. Blocks; safe for many threads.
public final class Prober {
  private static final int LONGEST_OUTPUT = 10 * 1024;

  private final HostNamespace host;
  private final ContainerRuntime runtime;
  private final HttpProber http;
  private final GrpcProber grpc;

  /// @param agent how HTTP requests name their sender
  public Prober(HostNamespace host, ContainerRuntime runtime, String agent) {
    this.host = host;
    this.runtime = runtime;
    this.http = new HttpProber(agent);
    this.grpc = new GrpcProber(agent);
  }

  /// @param address of the pod
  public ProbeOutcome ask(
      HandlerAction action,
      Container container,
      String containerId,
      String address,
      Duration timeout) {
    return switch (action) {
      case HandlerAction.HttpGet get ->
          port(container, get.port())
              .map(port -> inNode(() -> http.ask(get, at(get.host(), address), port, timeout)))
              .orElseGet(() -> noPort(get.port()));
      case HandlerAction.TcpSocket tcp ->
          port(container, tcp.port())
              .map(port -> inNode(() -> connect(at(tcp.host(), address), port, timeout)))
              .orElseGet(() -> noPort(tcp.port()));
      case HandlerAction.Exec(var command) -> run(containerId, command, timeout);
      case HandlerAction.Grpc(int port, String service) ->
          port > 0 && port <= 65_535
              ? inNode(() -> grpc.ask(address, port, service, timeout))
              : noPort(Integer.toString(port));
      case HandlerAction.Sleep _ -> new ProbeOutcome.Unknown("sleeping answers nothing");
    };
  }

  private ProbeOutcome inNode(java.util.concurrent.Callable<ProbeOutcome> question) {
    return host.call(question);
  }

  private static String at(String given, String address) {
    return given.isEmpty() ? address : given;
  }

  private static Optional<Integer> port(Container container, String port) {
    return container.port(port).filter(number -> number > 0 && number <= 65_535);
  }

  private static ProbeOutcome noPort(String port) {
    return new ProbeOutcome.Unknown("couldn't find port: " + port);
  }

  private static ProbeOutcome connect(String host, int port, Duration timeout) {
    try (Socket socket = new Socket()) {
      // The connection is cut, so that it does not linger by the thousand.
      socket.setSoLinger(true, 1);
      socket.connect(new InetSocketAddress(host, port), (int) timeout.toMillis());
      return new ProbeOutcome.Success("");
    } catch (IOException e) {
      return new ProbeOutcome.Failure(
          "dial tcp " + HttpProber.joined(host, port) + ": " + HttpProber.reason(e));
    }
  }

  private ProbeOutcome run(String containerId, java.util.List<String> command, Duration timeout) {
    try {
      ExecResult result = runtime.exec(containerId, command, timeout);
      if (result.timedOut()) {
        return new ProbeOutcome.Failure(
            "command timed out: \""
                + String.join(" ", command)
                + "\" timed out after "
                + timeout.toSeconds()
                + "s");
      }
      String output =
          result.output().length() > LONGEST_OUTPUT
              ? result.output().substring(0, LONGEST_OUTPUT)
              : result.output();
      return result.exitCode() == 0
          ? new ProbeOutcome.Success("")
          : new ProbeOutcome.Failure(output);
    } catch (RuntimeFailure e) {
      return new ProbeOutcome.Unknown(e.text());
    }
  }
}
