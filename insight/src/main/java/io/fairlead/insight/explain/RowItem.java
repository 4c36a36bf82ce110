package io.fairlead.insight.explain;

import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import java.util.Optional;

/// One line below a row: one pod or endpoint.
///
/// @param pod its name; empty for an endpoint that is no pod
/// @param address without the port; empty when it has none
/// @param port 0 when it has none
/// @param state `ready`, `notReady`, `terminating`, `leftOut`
public record RowItem(
    RowState mark,
    String pod,
    String address,
    int port,
    String node,
    String state,
    Sentence text,
    Optional<FindingCode> code) {

  /// `10.244.1.7:9376`, `[fd00::7]:9376`, `10.244.1.7`.
  public String place() {
    String host = port > 0 && address.indexOf(':') >= 0 ? "[" + address + "]" : address;
    return port > 0 ? host + ":" + port : host;
  }
}
