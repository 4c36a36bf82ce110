package io.fairlead.e2e.kubectl;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where what is printed differs from the recording on purpose. `decided/kubectl-1.N.txt` has, in
/// the form of a recording, what kubectl 1.N and newer ones print instead, each with its reason.
final class TranscriptDifferences {
  private static final List<Integer> DECIDED = List.of(33, 31, 30, 28, 27, 20);
  private static final Pattern RECORDING = Pattern.compile("kubectl-1\\.(\\d+)-.*");

  private TranscriptDifferences() {}

  /// What that kubectl prints instead of the recorded output; empty when the recording holds. A
  /// recording that is newer than the decision is preferred.
  static Optional<Transcript.Step> decided(int minor, Transcript.Step step) {
    Matcher recording = RECORDING.matcher(step.file());
    int recorded = recording.matches() ? Integer.parseInt(recording.group(1)) : 0;
    return DECIDED.stream()
        .filter(since -> since <= minor && since >= recorded)
        .flatMap(since -> steps(since).stream())
        .filter(decided -> decided.command().equals(step.command()))
        .findFirst();
  }

  private static List<Transcript.Step> steps(int since) {
    return Transcript.read("/decided/kubectl-1." + since + ".txt");
  }
}
