package io.fairlead.dns.forward;

/// Turns forwarding off: what `loop` does when it sees its own question come back.
public interface ForwardSwitch {
  /// From now on every question that would be forwarded fails with that reason.
  void turnOff(String why);

  void turnOn();
}
