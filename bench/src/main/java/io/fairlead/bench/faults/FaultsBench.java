package io.fairlead.bench.faults;

import io.fairlead.bench.faults.FaultScenario.FaultException;
import io.fairlead.bench.faults.FaultScenario.Size;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// One fault of `docs/reliability.md`, as often as that page says or as often as asked for. Some
/// are scenarios of this package; the others are tests of the modules, which CI runs in small and
/// which are run here with a larger count, by Maven.
///
/// As root. Arguments: `NAME [COUNT]`; without a name, the list. `--smoke` runs the scenarios of
/// this package in small.
public final class FaultsBench {
  private FaultsBench() {}

  public static void main(String[] words) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(words));
    if (arguments.remove("--smoke")) {
      for (Fault fault : Fault.values()) {
        Optional<FaultScenario> scenario = fault.scenario();
        if (scenario.isPresent()) {
          run(fault, scenario.get(), new Size(fault.small(), true));
        }
      }
      System.exit(0);
    }
    if (arguments.isEmpty()) {
      Arrays.stream(Fault.values())
          .forEach(fault -> System.out.printf("%-14s %s%n", fault.word(), fault.describe()));
      System.exit(0);
    }
    Optional<Fault> fault =
        Arrays.stream(Fault.values())
            .filter(each -> each.word().equals(arguments.getFirst()))
            .findFirst();
    if (fault.isEmpty()) {
      System.err.println("error: no fault named " + arguments.getFirst());
      System.err.println("  next: ./dev bench faults lists them");
      System.exit(2);
    }
    int count = arguments.size() > 1 ? Integer.parseInt(arguments.get(1)) : fault.get().full();
    Optional<FaultScenario> scenario = fault.get().scenario();
    if (scenario.isEmpty()) {
      System.exit(fault.get().runTests(count));
    }
    System.exit(run(fault.get(), scenario.get(), new Size(count, false)) ? 0 : 1);
  }

  private static boolean run(Fault fault, FaultScenario scenario, Size size) throws Exception {
    FaultReport report = new FaultReport(fault.word());
    long start = System.nanoTime();
    try {
      scenario.run(size, report);
      report.figure("seconds", (System.nanoTime() - start) / 1e9);
      System.out.println(fault.word() + ": held");
      return true;
    } catch (FaultException e) {
      System.out.println(fault.word() + ": FAILED: " + e.getMessage());
      if (size.smoke()) {
        throw e;
      }
      return false;
    }
  }
}
