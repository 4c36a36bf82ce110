package io.fairlead.proxy.flows;

import java.util.EnumMap;
import java.util.Map;

/// One row of the table.
///
/// @param id the number of the vector
/// @param usual what becomes of it where a mode has no verdict of its own
/// @param own verdicts of modes that differ
/// @param live whether it can be tried with real packets
public record Flow(
    String id,
    Setup setup,
    Origin from,
    Destination to,
    ExpectedOutcome usual,
    Map<Mode, ExpectedOutcome> own,
    boolean live) {

  public Flow {
    own = Map.copyOf(own);
  }

  static Flow of(String id, Setup setup, Origin from, Destination to, ExpectedOutcome usual) {
    return new Flow(id, setup, from, to, usual, Map.of(), true);
  }

  /// The row with another verdict in one mode.
  Flow butIn(Mode mode, ExpectedOutcome expected) {
    Map<Mode, ExpectedOutcome> verdicts = new EnumMap<>(Mode.class);
    verdicts.putAll(own);
    verdicts.put(mode, expected);
    return new Flow(id, setup, from, to, usual, verdicts, live);
  }

  /// The row for plans and walkers only.
  Flow withoutPackets() {
    return new Flow(id, setup, from, to, usual, own, false);
  }

  public ExpectedOutcome expected(Mode mode) {
    return own.getOrDefault(mode, usual);
  }

  @Override
  public String toString() {
    return id + " " + from + " -> " + to + (setup == Setup.STANDARD ? "" : " with " + setup);
  }
}
