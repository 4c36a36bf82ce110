package io.fairlead.proxy.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.namespace.NetworkNamespace;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A proxy killed in the middle of its work leaves a table that is one of the plans, whole.
@Tag("system")
@Tag("slow")
class KilledPlaneTest {
  private static final int KILLS = 25;

  private final NetworkNamespace namespace =
      NetworkNamespace.create("flp-kill-" + ProcessHandle.current().pid());

  @AfterEach
  void remove() {
    namespace.delete();
  }

  @Test
  void theTableIsAlwaysSomePlan() throws Exception {
    Random random = new Random(1);
    int first = 1;
    for (int kill = 0; kill < KILLS; kill++) {
      int last = runAndKill(first, random.nextInt(40));
      Map<String, Set<String>> found = endpoints();
      assertThat(found).hasSize(Churn.SERVICES);
      Set<Set<String>> distinct = Set.copyOf(found.values());
      assertThat(distinct).as("kill %s after plan %s", kill, last).hasSize(1);
      int number = number(distinct.iterator().next());
      // What was acknowledged is there; what came next may be.
      assertThat(number).isGreaterThanOrEqualTo(last);
      first = number + 1;
    }
  }

  /// Kills a process some plans after its first, at whatever it is doing then.
  private int runAndKill(int first, int plans) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Churn.class.getName(),
                namespace.name(),
                Integer.toString(first))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int last = 0;
    try (BufferedReader reader = process.inputReader()) {
      for (int i = 0; i <= plans; i++) {
        String line = reader.readLine();
        assertThat(line).as("the process ended by itself").isNotNull();
        last = Integer.parseInt(line);
      }
      // Through its handle: that way what it printed can still be read.
      process.toHandle().destroyForcibly();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.matches("\\d+")) {
          last = Math.max(last, Integer.parseInt(line));
        }
      }
    }
    process.waitFor();
    return last;
  }

  private Map<String, Set<String>> endpoints() {
    try (NftablesPlane plane = namespace.call(() -> NftablesPlane.open(IpAddress.Family.IPV4))) {
      Map<String, Set<String>> found = new TreeMap<>();
      plane
          .observe()
          .listing()
          .lines()
          .map(String::strip)
          .filter(line -> line.matches("10\\.96\\.\\S+ \\. tcp \\. 80 \\. \\S+ : 10\\.64\\..*"))
          .forEach(
              line ->
                  found
                      .computeIfAbsent(line.substring(0, line.indexOf(' ')), _ -> new TreeSet<>())
                      .add(line.substring(line.indexOf(" : ") + 3)));
      return found;
    }
  }

  private static int number(Set<String> endpoints) {
    assertThat(endpoints).hasSize(3);
    long lowest =
        endpoints.stream()
            .map(text -> IpAddress.parse(text.substring(0, text.indexOf(' '))))
            .mapToLong(Plans.endpoint(0)::distanceTo)
            .min()
            .orElseThrow();
    assertThat(lowest % 3).isZero();
    return Math.toIntExact(lowest / 3);
  }
}
