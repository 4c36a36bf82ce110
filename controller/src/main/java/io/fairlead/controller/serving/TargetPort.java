package io.fairlead.controller.serving;

import io.fairlead.client.objects.V1Service;

/// Where in the pod a Service port leads.
public sealed interface TargetPort {
  /// That number in every pod; the pod need not declare it.
  record Numeric(int port) implements TargetPort {}

  /// Whatever number the pod declares under this name.
  record Named(String name) implements TargetPort {}

  /// The target of a Service's port; the port's own number when it names none.
  static TargetPort of(V1Service.Port port) {
    String name = port.targetPortName();
    if (name != null) {
      return new Named(name);
    }
    return new Numeric(port.targetPort() == 0 ? port.port() : port.targetPort());
  }
}
