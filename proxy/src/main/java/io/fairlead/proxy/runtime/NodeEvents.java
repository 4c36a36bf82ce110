package io.fairlead.proxy.runtime;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import java.util.ArrayList;
import java.util.List;

/// Records what happens to a proxy as events of its Node and of Services. Warnings from before the
/// start wait until the Node is known. [#warnLater] and [#started] are called by one thread; the
/// other methods may be called by any.
final class NodeEvents implements AutoCloseable {
  private record Warning(String reason, String message) {}

  private final EventRecorder recorder;
  private final ProxyInformers informers;
  private final String nodeName;
  private final List<Warning> waiting = new ArrayList<>();

  NodeEvents(ProxyDependencies dependencies, ProxyInformers informers) {
    this.recorder =
        new EventRecorder(
            dependencies.client(),
            "kube-proxy",
            dependencies.clock(),
            dependencies.pacing().ticker());
    this.informers = informers;
    this.nodeName = dependencies.nodeName();
  }

  /// Records a warning at the start.
  void warnLater(String reason, String message) {
    waiting.add(new Warning(reason, message));
  }

  /// The Node is known as far as it will be.
  void started() {
    recorder.record(ObjectEvent.normal(node(), "Starting", ""));
    waiting.forEach(warning -> warn(warning.reason, warning.message));
    waiting.clear();
  }

  void warn(String reason, String message) {
    recorder.record(ObjectEvent.warning(node(), reason, message));
  }

  /// The health server of a Service cannot listen.
  void cannotListen(ObjectKey service, String why) {
    recorder.record(
        ObjectEvent.warning(
            new ObjectRef(ProxyInformers.SERVICES, service, ""),
            "FailedToStartServiceHealthcheck",
            why));
  }

  private ObjectRef node() {
    return new ObjectRef(
        ProxyInformers.NODES,
        new ObjectKey("", nodeName),
        informers.node().map(node -> node.metadata().uid()).orElse(nodeName));
  }

  @Override
  public void close() {
    recorder.close();
  }
}
