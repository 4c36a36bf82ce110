package io.fairlead.server.rest;

import io.fairlead.server.auth.Authorizer.Attributes;
import io.fairlead.server.auth.Forbidden;
import io.fairlead.server.request.RequestInfo;
import io.fairlead.server.stream.NodeDirectory;
import io.fairlead.server.stream.PodStreamHandler;
import io.fairlead.server.stream.ProxySubresourceHandler;
import java.io.IOException;

/// The subresources that lead to nodes and pods.
final class ConnectHandler {
  /// From this version on it takes the right to `create` to open a stream, whatever the method.
  private static final int CREATE_NEEDED = 35;

  private final RestDependencies core;
  private final ReadHandler reads;
  private final PodStreamHandler connections;
  private final ProxySubresourceHandler proxies;
  private final AdmissionSteps admission;

  ConnectHandler(RestDependencies core, ReadHandler reads, NodeDirectory directory) {
    this.core = core;
    this.reads = reads;
    this.connections = new PodStreamHandler(directory);
    this.admission = new AdmissionSteps(core);
    this.proxies = new ProxySubresourceHandler(directory, core.caches().reader(), core.random());
  }

  void serve(ResourceRequest call) throws IOException {
    RequestInfo info = call.info();
    switch (info.subresource()) {
      case "log" -> connections.log(call.exchange(), reads.get(call).tree());
      case "proxy" -> proxy(call);
      default -> {
        if (core.emulatedMinor() >= CREATE_NEEDED) {
          requireCreate(call);
        }
        admit(call);
        connections.stream(info.subresource(), call.exchange(), reads.get(call).tree());
      }
    }
  }

  private void admit(ResourceRequest call) {
    admission.connect(call, ConnectOptions.of(call.info(), call.exchange().query()));
  }

  private void requireCreate(ResourceRequest call) {
    RequestInfo info = call.info();
    if (!call.verb().equals("create")) {
      Forbidden.check(
          core.authorizer(),
          new Attributes(
              call.user(),
              "create",
              info.group(),
              info.version(),
              info.resource(),
              info.subresource(),
              info.namespace(),
              info.name(),
              ""));
    }
  }

  private void proxy(ResourceRequest call) throws IOException {
    RequestInfo info = call.info();
    if (info.resource().equals("nodes") && call.exchange().header("Upgrade") != null) {
      // What is upgraded on a node runs programs in its containers: more than to get.
      requireCreate(call);
    }
    admit(call);
    String path = call.exchange().path();
    int end = prefixLength(path, info.namespaced() ? 7 : 5);
    proxies.serve(
        call.exchange(),
        call.user(),
        info.resource(),
        info.namespace(),
        info.name(),
        path.substring(0, end),
        path.substring(end));
  }

  /// Where so many segments of a path end.
  private static int prefixLength(String path, int segments) {
    int at = 0;
    for (int i = 0; i < segments; i++) {
      while (at < path.length() && path.charAt(at) == '/') {
        at++;
      }
      while (at < path.length() && path.charAt(at) != '/') {
        at++;
      }
    }
    return at;
  }
}
