package io.fairlead.agent.stream;

import java.util.ArrayList;
import java.util.List;

/// Which streams of a program the user wants.
///
/// @param terminal the program gets a terminal; it complains and prints to the same then
public record StreamRequest(boolean input, boolean output, boolean error, boolean terminal) {
  public StreamRequest {
    error = error && !terminal;
  }

  /// Whether anything at all is asked for.
  public boolean isEmpty() {
    return !input && !output && !error;
  }

  /// The streams that a client opens over SPDY.
  ///
  /// @param resizes whether its protocol sends sizes of the terminal
  List<String> types(boolean resizes) {
    List<String> types = new ArrayList<>(List.of("error"));
    if (input) {
      types.add("stdin");
    }
    if (output) {
      types.add("stdout");
    }
    if (error) {
      types.add("stderr");
    }
    if (terminal && resizes) {
      types.add("resize");
    }
    return types;
  }
}
