package io.fairlead.server.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.resource.Resource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// When a Service is warned about its selector.
class SelectorTypoCheckTest {
  private record Case(
      String name, String selector, String before, List<String> pods, String warning) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Case row(String name, String selector, String warning, String... pods) {
    return new Case(name, selector, "", List.of(pods), warning);
  }

  static Stream<Case> cases() {
    String three = "selector app=hostname matches no pod; 3 pods have app=hostnames (FL102)";
    return Stream.of(
        row(
            "a letter is missing",
            "app:'hostname'",
            three,
            "app:'hostnames'",
            "app:'hostnames'",
            "app:'hostnames'"),
        row(
            "two labels, one misspelled",
            "app:'web',tier:'fronted'",
            "selector app=web,tier=fronted matches no pod; 1 pod has tier=frontend (FL102)",
            "app:'web',tier:'frontend'"),
        row("no pods yet", "app:'hostname'", ""),
        row("one pod matches", "app:'hostname'", "", "app:'hostnames'", "app:'hostname'"),
        row("pods of something else", "app:'hostname'", "", "app:'database'"),
        row("short values are all near each other", "app:'a'", "", "app:'b'"),
        row("two labels differ", "app:'wev',tier:'fronted'", "", "app:'web',tier:'frontend'"),
        row("a pod without the label", "app:'hostname'", "", "run:'hostname'"),
        new Case(
            "said once, not with every write",
            "app:'hostname'",
            "app:'hostname'",
            List.of("app:'hostnames'"),
            ""),
        new Case(
            "a selector that changes",
            "app:'hostname'",
            "app:'hostnames'",
            List.of("app:'hostnames'", "app:'hostnames'", "app:'hostnames'"),
            three));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void warning(Case row) {
    Resource services = ResourcePipeline.of("v1", "services");
    FakeContext context = new FakeContext();
    int number = 0;
    for (String labels : row.pods()) {
      number++;
      context.put(
          "",
          "pods",
          "ns",
          ResourcePipeline.json("{metadata:{name:'p" + number + "',labels:{" + labels + "}}}"));
    }
    ObjectNode old = row.before().isEmpty() ? null : service(row.before());
    assertThat(services.warnings(service(row.selector()), old, context))
        .isEqualTo(row.warning().isEmpty() ? List.of() : List.of(row.warning()));
  }

  private static ObjectNode service(String selector) {
    return ResourcePipeline.json(
        "{metadata:{name:'s'},spec:{type:'ClusterIP',sessionAffinity:'None',selector:{"
            + selector
            + "}}}");
  }
}
