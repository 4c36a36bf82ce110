package io.fairlead.bench.faults;

/// One fault, done a number of times to something that runs, with a check that nothing was wrong.
interface FaultScenario {
  /// What it is given to.
  ///
  /// @param count how often, or for how many seconds, as the scenario says
  /// @param smoke only answers are checked: sizes are small and no time is judged
  record Size(int count, boolean smoke) {}

  /// @throws FaultException when something was wrong
  void run(Size size, FaultReport report) throws Exception;

  /// Something did not hold. The message says what.
  final class FaultException extends Exception {
    private static final long serialVersionUID = 1;

    FaultException(String message) {
      super(message);
    }
  }
}
