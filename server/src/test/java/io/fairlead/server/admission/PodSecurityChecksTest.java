package io.fairlead.server.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PodSecurityChecksTest {
  private static final String SAFE =
      "allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, runAsNonRoot: true,"
          + " seccompProfile: {type: RuntimeDefault}";

  record Row(String name, String spec, String baseline, String restricted) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static String one(String context) {
    return "{containers: [{name: a, securityContext: {" + context + "}}]}";
  }

  private static Row both(String name, String spec, String fault) {
    return new Row(name, spec, fault, fault);
  }

  static Stream<Row> rows() {
    return Stream.of(
        both("nothing wrong", one(SAFE), ""),
        new Row(
            "nothing said",
            "{containers: [{name: a}, {name: b}]}",
            "",
            "allowPrivilegeEscalation != false (containers \"a\", \"b\" must set"
                + " securityContext.allowPrivilegeEscalation=false), unrestricted capabilities"
                + " (containers \"a\", \"b\" must set securityContext.capabilities.drop=[\"ALL\"]),"
                + " runAsNonRoot != true (pod or containers \"a\", \"b\" must set"
                + " securityContext.runAsNonRoot=true), seccompProfile (pod or containers \"a\","
                + " \"b\" must set securityContext.seccompProfile.type to \"RuntimeDefault\" or"
                + " \"Localhost\")"),
        both(
            "privileged",
            one(SAFE + ", privileged: true"),
            "privileged (container \"a\" must not set securityContext.privileged=true)"),
        both(
            "namespaces of the host",
            "{hostNetwork: true, hostPID: true, containers: [{name: a, securityContext: {"
                + SAFE
                + "}}]}",
            "host namespaces (hostNetwork=true, hostPID=true)"),
        new Row(
            "a path of the host",
            "{volumes: [{name: v, hostPath: {path: /}}], containers: [{name: a, securityContext: {"
                + SAFE
                + "}}]}",
            "hostPath volumes (volume \"v\")",
            "hostPath volumes (volume \"v\"), restricted volume types (volume \"v\" uses restricted"
                + " volume type \"hostPath\")"),
        both(
            "a port of the host",
            "{containers: [{name: a, ports: [{hostPort: 80}], securityContext: {" + SAFE + "}}]}",
            "hostPort (container \"a\" uses hostPort 80)"),
        new Row(
            "a capability",
            one(
                "allowPrivilegeEscalation: false, runAsNonRoot: true, seccompProfile: {type:"
                    + " Localhost}, capabilities: {drop: [ALL], add: [CHOWN]}"),
            "",
            "unrestricted capabilities (container \"a\" must not include \"CHOWN\" in"
                + " securityContext.capabilities.add)"),
        both(
            "an unsafe setting of the kernel",
            "{securityContext: {sysctls: [{name: kernel.msgmax}]}, containers: [{name: a,"
                + " securityContext: {"
                + SAFE
                + "}}]}",
            "forbidden sysctls (kernel.msgmax)"),
        new Row(
            "root by number",
            one(SAFE + ", runAsUser: 0"),
            "",
            "runAsUser=0 (container \"a\" must not set runAsUser=0)"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void rows(Row row) {
    assertThat(
            String.join(
                ", ", PodSecurityChecks.faults(Yaml.parse(row.spec()), Json.object(), false)))
        .isEqualTo(row.baseline());
    assertThat(
            String.join(
                ", ", PodSecurityChecks.faults(Yaml.parse(row.spec()), Json.object(), true)))
        .isEqualTo(row.restricted());
  }
}
