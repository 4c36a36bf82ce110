package io.fairlead.server.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.resource.Resource;
import io.fairlead.server.resources.service.ServiceClaims;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// What the server says of objects that are not right, and that it says nothing of those that are.
class ValidationTest {
  /// @param change what is changed in an object that exists; empty for a new object
  record Case(
      String name, String version, String plural, String given, String change, String problems) {
    @Override
    public String toString() {
      return plural + ": " + name;
    }
  }

  static Case create(String name, String version, String plural, String given, String problems) {
    return new Case(name, version, plural, given, "", problems);
  }

  static Stream<Case> cases() {
    return Stream.concat(PodValidationRows.all(), NetworkValidationRows.all());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void verdict(Case row) {
    Resource resource = ResourcePipeline.of(row.version(), row.plural());
    FakeContext context = new FakeContext();
    context.put("", "serviceaccounts", "ns", ResourcePipeline.json("{metadata:{name:'default'}}"));
    context.put(
        "networking.k8s.io",
        "ipaddresses",
        "",
        ResourcePipeline.json("{metadata:{name:'10.96.0.9'}}"));
    context.claimed.add(ServiceClaims.NODE_PORTS + "30009");
    ObjectNode object = ResourcePipeline.json(row.given());
    object.putObject("metadata").put("name", "x");
    String problems =
        row.change().isEmpty()
            ? ResourcePipeline.problemsOf(resource, object, context)
            : ResourcePipeline.problemsOfChange(
                resource, object, ResourcePipeline.json(row.change()), context);
    assertThat(problems).isEqualTo(row.problems());
  }
}
