package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.api.net.Cidr;
import io.fairlead.app.cli.ArgumentParser;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Grammar;
import io.fairlead.policy.runtime.PolicyOptions;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyCommandTest {
  private static PolicyOptions read(String... words) {
    return PolicyCommand.options(
        new ArgumentParser(Map.of()).parse(Grammar.POLICY, List.of(words)));
  }

  @Test
  void everyDefaultIsTheSafeOne() {
    assertThat(read("--hostname-override=Node1"))
        .isEqualTo(
            new PolicyOptions(
                "node1",
                List.of(),
                List.of(),
                true,
                true,
                true,
                false,
                241,
                121,
                Optional.of(new InetSocketAddress("127.0.0.1", 10248)),
                PolicyOptions.Extras.NONE));
  }

  @Test
  void everyFlagIsRead() {
    PolicyOptions options =
        read(
            "--hostname-override=a",
            "--pod-cidr=10.1.2.3/24,fd00::/64",
            "--cluster-cidr=10.0.0.0/8",
            "--spoofed-sources=pass",
            "--unknown-addresses=pass",
            "--existing-connections=keep",
            "--denied=reject",
            "--nflog-group=0",
            "--cut-label=7",
            "--gate-first",
            "--startup-taint=fairlead.dev/policy-not-ready",
            "--drop-log=-",
            "--healthz-bind-address=127.0.0.1:10299",
            "--metrics-bind-address=");
    assertThat(options)
        .isEqualTo(
            new PolicyOptions(
                "a",
                List.of(Cidr.parse("10.1.2.0/24"), Cidr.parse("fd00::/64")),
                List.of(Cidr.parse("10.0.0.0/8")),
                false,
                false,
                false,
                true,
                0,
                7,
                Optional.empty(),
                new PolicyOptions.Extras(
                    true,
                    "fairlead.dev/policy-not-ready",
                    "-",
                    Optional.of(new InetSocketAddress("127.0.0.1", 10299)),
                    false)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--pod-cidr=10.1.2.3",
        "--nflog-group=65536",
        "--nflog-group=x",
        "--cut-label=128",
        "--gate-first",
        "--healthz-bind-address=nowhere",
        "--metrics-bind-address=nowhere"
      })
  void whatCannotBeIsRefused(String flag) {
    FairleadException refused =
        catchThrowableOfType(FairleadException.class, () -> read("--hostname-override=a", flag));
    assertThat(refused.code()).isEqualTo(ErrorCode.FL303);
  }
}
