package io.fairlead.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ExtractorTest {
  private static final List<String> LINES = Extractor.text().lines().toList();

  @Test
  void aFieldHasItsNumberItsTypeAndItsText() {
    assertThat(of("io.k8s.api.core.v1.ServicePort"))
        .anyMatch(line -> line.startsWith("F\tport\tint32\t3\tr\tThe port"))
        .anyMatch(line -> line.startsWith("F\ttargetPort\tintOrString\t4\t\t"));
  }

  @Test
  void namesThatDifferOnlyInCaseAreTheSameField() {
    assertThat(of("io.k8s.api.authentication.v1.BoundObjectReference"))
        .anyMatch(line -> line.startsWith("F\tuid\tstring\t4\t"));
  }

  @Test
  void flattenedMessagesAreMarked() {
    assertThat(of("io.k8s.api.core.v1.Probe"))
        .contains("I\thandler\t@io.k8s.api.core.v1.ProbeHandler\t1")
        .anyMatch(line -> line.startsWith("F\thttpGet\t@io.k8s.api.core.v1.HTTPGetAction\t0\t"));
  }

  @Test
  void typesOfTwoGroupsWithOneNameAreKeptApart() {
    assertThat(of("io.k8s.api.core.v1.EndpointPort"))
        .anyMatch(line -> line.startsWith("F\tport\tint32\t2\tr"));
    assertThat(of("io.k8s.api.discovery.v1.EndpointPort"))
        .anyMatch(line -> line.startsWith("F\tport\tint32\t3\t\t"));
  }

  @Test
  void everyReferenceLeadsToAStruct() {
    Set<String> missing = new TreeSet<>();
    for (String line : LINES) {
      int at = line.startsWith("S") ? -1 : line.split("\t", -1)[2].indexOf('@');
      if (at >= 0 && of(line.split("\t", -1)[2].substring(at + 1)).isEmpty()) {
        missing.add(line);
      }
    }
    assertThat(missing).isEmpty();
  }

  private static List<String> of(String struct) {
    List<String> names =
        LINES.stream().map(line -> line.startsWith("S\t") ? line.split("\t", -1)[1] : "").toList();
    int start = names.indexOf(struct);
    if (start < 0) {
      return List.of();
    }
    int end = start + 1;
    while (end < LINES.size() && names.get(end).isEmpty()) {
      end++;
    }
    return LINES.subList(start + 1, end);
  }
}
