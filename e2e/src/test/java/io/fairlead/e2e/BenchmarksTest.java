package io.fairlead.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Runs every benchmark in its smallest size: the answers must be right, no time is judged.
@Tag("system")
class BenchmarksTest {
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java")
          + " -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -XX:TieredStopAtLevel=1"
          + " --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -cp "
          + CLASS_PATH
          + " ";

  @TempDir Path home;

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "api,     io.fairlead.bench.api.ApiBench,         watch-slow",
    "rules,   io.fairlead.bench.rules.RulesBench,     remove-add-service-1000",
    "ipvs,    io.fairlead.bench.ipvs.IpvsBench,       api-first-packet-10-over-iptables",
    "sync,    io.fairlead.bench.sync.SyncBench,       restart-10",
    "dataplane, io.fairlead.bench.dataplane.DataplaneBench, balance",
    "policy,  io.fairlead.bench.policy.PolicyBench,   follow",
    "dns,     io.fairlead.bench.dns.DnsBench,         memory",
    "store,   io.fairlead.bench.store.StoreBench,     commits-64",
    "endpoints, io.fairlead.bench.endpoints.EndpointsBench, memory",
    "loadbalancer, io.fairlead.bench.loadbalancer.LoadbalancerBench, failover-planned",
    "userspace, io.fairlead.bench.userspace.UserspaceBench, most_less_least",
    "explain, io.fairlead.bench.explain.ExplainBench, explain-all",
    "startup, io.fairlead.bench.startup.StartupBench, up again",
    "pods,    io.fairlead.bench.pods.PodsBench,       builtin-policies-3",
    "junit,   io.fairlead.bench.junit.JunitBench,     memory",
    "up,      io.fairlead.bench.up.UpBench,           warm",
    "chain,   io.fairlead.bench.chain.ChainBench,     roll-out",
    "soak,    io.fairlead.bench.soak.SoakBench,       growth",
    "faults,  io.fairlead.bench.faults.FaultsBench,   flood: held"
  })
  void answersAreRight(String name, String main, String lastMeasured) throws Exception {
    // The benchmarks start what lies beside them under this name: here, the classes under test.
    QuickBuild.shared().launcher(home.resolve("fairlead"));
    Path bench = script(name, main);
    Path output = home.resolve("output");
    Process process =
        new ProcessBuilder(bench.toString(), "--smoke")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(5, TimeUnit.MINUTES);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    String said = Files.readString(output);
    assertThat(ended).as("ended in time: %s", said).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    assertThat(said).contains(lastMeasured);
  }

  private Path script(String name, String main) throws IOException {
    Path script = home.resolve(name);
    Files.writeString(
        script, "#!/bin/sh\nexec " + JAVA + "-Dfairlead.home=" + home + " " + main + " \"$@\"\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    return script;
  }
}
